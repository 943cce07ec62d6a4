/** The packages' parts of the edge, a line each; the owner's chat there is with the first that is configured. Called by the edge alone: home bundles none of it. */
import type { EdgePackage } from './runtime/edge-package.ts'
import { TELEGRAM_EDGE } from './telegram/edge.ts'

export const EDGE_PACKAGES: readonly EdgePackage[] = Object.freeze([TELEGRAM_EDGE])
