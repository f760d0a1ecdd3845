# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every claim of the papers that is judged, in the order of their text."""

import hardware_claims
import queue_claims
import wave_claims
import window_claims

SECTIONS = ("Table I", "Table II", "Figure 9", "Figure 10", "Figure 11", "Figure 12", "Area",
            "Figure 13", "Table III", "Figure 14", "ACS")
CLAIMS = sorted((*queue_claims.CLAIMS, *hardware_claims.CLAIMS, *wave_claims.CLAIMS,
                 *window_claims.CLAIMS), key=lambda claim: SECTIONS.index(claim.section))


def of(section):
    return [claim for claim in CLAIMS if claim.section == section]
