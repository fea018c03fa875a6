"""What runs beneath the calls: threads in fair shares, rates, telemetry, logs."""
