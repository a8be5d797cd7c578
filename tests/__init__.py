"""Tests, and the support code they share."""
