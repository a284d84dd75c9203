# Of many vantage points, the first names and the number of the others are told.
target Shop quorum=majority
report Shop p1=down p2=down p3=down p4=down p5=down p6=down p7=down p8=down q1=1ms q2=2ms q3=3ms q4=4ms
wait 1m
verdict Shop
report Shop p1=5ms p2=5ms p3=5ms
verdict Shop
