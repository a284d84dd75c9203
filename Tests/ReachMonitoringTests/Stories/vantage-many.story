# Of many vantage points, the first names and the number of the others are told.
target Shop quorum=majority
report Shop p1=down p2=down p3=down p4=down p5=down p6=down p7=down p8=down q1=1ms q2=2ms q3=3ms q4=4ms
  0s  Shop unknown→down
wait 1m
verdict Shop
  Shop: down from 8 of 12: p1, p2, p3, p4, p5, p6 +2 for 1m00s; 4 others reach it, disputed
report Shop p1=5ms p2=5ms p3=5ms
  1m00s  Shop down→up
verdict Shop
  Shop: up; p4, p5, p6, p7, p8 disagree for 1m00s (5.0ms), disputed
