/**
 * Channel packages that can run at the edge, one line each; the owner's chat there uses the first that is configured. Called by the
 * edge only, so that home bundles none of it.
 */
import type { EdgePackage } from './runtime/edge-package.ts'
import { TELEGRAM_EDGE } from './telegram/edge.ts'

export const EDGE_PACKAGES: readonly EdgePackage[] = Object.freeze([TELEGRAM_EDGE])
