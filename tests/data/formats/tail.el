# Undirected graph: a triangle with a tail
0	1
0	2
1	2
2	3
