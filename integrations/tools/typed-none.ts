/**
 * Empty list of further typed requests, bundled at the edge in place of each `<tool>/typed.ts` (`#typed/*` in package.json): only training
 * and the choice of tools for a prompt use them. Data only.
 */
import type { Phrases } from './phrase.ts'

export const TYPED: NonNullable<Phrases['typed']> = {}
