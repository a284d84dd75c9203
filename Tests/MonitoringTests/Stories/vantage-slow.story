# A limit of slow replies holds for the round trip that the quorum sees.
target Shop quorum=majority slow=500ms
report Shop fra=12ms nyc=87ms sin=900ms
verdict Shop
wait 15s
report Shop fra=12ms nyc=700ms sin=900ms
verdict Shop
wait 15s
report Shop fra=12ms nyc=down sin=900ms
verdict Shop
