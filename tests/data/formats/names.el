ann bob
ann carl
bob carl
carl dora
