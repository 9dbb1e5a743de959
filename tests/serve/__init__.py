"""Tests of the service, by a client over loopback."""
