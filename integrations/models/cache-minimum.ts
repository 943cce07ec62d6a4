/**
 * Data: the shortest prompt prefix that a provider's model caches, in tokens (P-23). Readers: the adapters of models, for
 * `ModelProvider.cacheMinimum`. Rationale: a shorter one is silently not cached, so whoever pays must be warned. Source: the
 * provider's documentation of prompt caching, 2026.
 */

interface Row {
  /** Prefix of the model's id. */
  readonly model: string
  readonly tokens: number
}

/** The longest matching prefix counts. */
const MINIMUMS: readonly Row[] = Object.freeze([
  { model: 'claude-opus-4', tokens: 1_024 },
  { model: 'claude-opus-4-5', tokens: 4_096 },
  { model: 'claude-opus-4-6', tokens: 4_096 },
  { model: 'claude-opus-4-7', tokens: 4_096 },
  { model: 'claude-opus-4-8', tokens: 1_024 },
  { model: 'claude-sonnet-4', tokens: 1_024 },
  { model: 'claude-haiku-4', tokens: 4_096 },
  { model: 'claude-3-5-haiku', tokens: 2_048 },
])

/** For a model that is not listed: the largest, so that the owner gets a warning instead of a surprise on the bill. */
const UNKNOWN_MINIMUM = 4_096

export function cacheMinimum(model: string): number {
  const fitting = MINIMUMS.filter((row) => model.startsWith(row.model))
  const longest = fitting.toSorted((a, b) => b.model.length - a.model.length)[0]
  return longest?.tokens ?? UNKNOWN_MINIMUM
}
