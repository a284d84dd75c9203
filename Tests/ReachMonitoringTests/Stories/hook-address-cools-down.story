# The cooldown limits the hook of an address that changes often. When it ends, the present address is reported.
target NAS hook=address cooldown=1m
address NAS 192.0.2.5 192.0.2.6
  0s  NAS address 192.0.2.5→192.0.2.6
  0s  hook address of NAS
wait 30s
address NAS 192.0.2.6 192.0.2.5
  30s  NAS address 192.0.2.6→192.0.2.5
  30s  NAS skips address: cooling down for another 30s
wait 20s
address NAS 192.0.2.5 192.0.2.7
  50s  NAS address 192.0.2.5→192.0.2.7
  50s  NAS skips address: cooling down for another 10s
wait 10s
  1m00s  hook address of NAS
address NAS 192.0.2.7 192.0.2.8
  1m00s  NAS address 192.0.2.7→192.0.2.8
  1m00s  NAS skips address: cooling down for another 1m00s
wait 10s
address NAS 192.0.2.8 192.0.2.7
  1m10s  NAS address 192.0.2.8→192.0.2.7
wait 1m
