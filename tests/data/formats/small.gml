graph [ # a comment
  directed 1
  node [ id 1 label "a &amp; b" size 1.5 g [ x -2 ] ]
  node [ id 2 label "&#233;" ]
  edge [ source 1 target 2 weight 3 note "x" ]
  edge [ source 2 target 1 value 2.5 r +INF ]
]
