/**
 * No further typed requests: only training and home's choice of tools use them. Bundled at the edge in place of each `<tool>/typed.ts` (`#typed/*`
 * in package.json). Data only.
 */
import type { Phrases } from './phrase.ts'

export const TYPED: NonNullable<Phrases['typed']> = {}
