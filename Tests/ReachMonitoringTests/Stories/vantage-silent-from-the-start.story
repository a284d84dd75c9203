# Without a report there is no verdict, and no event.
target Shop quorum=majority stale_after=1m hook=fault
wait 1h
verdict Shop
  Shop: unknown, no reports
show Shop
  Shop: unknown, for 1h00m, availability unknown, 0 samples
