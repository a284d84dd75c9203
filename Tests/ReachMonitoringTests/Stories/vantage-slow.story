# A limit of slow replies holds for the round trip that the quorum sees.
target Shop quorum=majority slow=500ms
report Shop fra=12ms nyc=87ms sin=900ms
  0s  Shop unknown→up
verdict Shop
  Shop: up (87ms)
wait 15s
report Shop fra=12ms nyc=700ms sin=900ms
  15s  Shop up→degraded
verdict Shop
  Shop: up (700ms)
wait 15s
report Shop fra=12ms nyc=down sin=900ms
verdict Shop
  Shop: up; nyc disagrees for 0s (900ms), disputed
