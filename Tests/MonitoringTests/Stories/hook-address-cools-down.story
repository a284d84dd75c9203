# The cooldown limits the hook of an address that changes often.
target NAS hook=address cooldown=1m
address NAS 192.0.2.5 192.0.2.6
  0s  NAS address 192.0.2.5→192.0.2.6
  0s  hook address of NAS
wait 30s
address NAS 192.0.2.6 192.0.2.5
  30s  NAS address 192.0.2.6→192.0.2.5
  30s  NAS skips address: cooling down for another 30s
wait 30s
address NAS 192.0.2.5 192.0.2.6
  1m00s  NAS address 192.0.2.5→192.0.2.6
  1m00s  hook address of NAS
