"""OCR post-correction: candidates, scores and calibrated decisions."""
