"""Layout of an exchange game (zones and facts), and validation of decoded positions."""
