# A run is dropped, the one before it is not: the cooldown of that one still counts.
target NAS hook=address cooldown=1m
address NAS 192.0.2.5 192.0.2.6
  0s  NAS address 192.0.2.5→192.0.2.6
  0s  hook address of NAS
wait 1m
address NAS 192.0.2.6 192.0.2.7
  1m00s  NAS address 192.0.2.6→192.0.2.7
  1m00s  hook address of NAS
drop obsolete
address NAS 192.0.2.7 192.0.2.8
  1m00s  NAS address 192.0.2.7→192.0.2.8
  1m00s  hook address of NAS
wait 1s
address NAS 192.0.2.8 192.0.2.9
  1m01s  NAS address 192.0.2.8→192.0.2.9
  1m01s  NAS skips address: cooling down for another 59s
