/** A place that knows no secret, for tests about something else. */
import type { KnownSecrets } from '../../kernel/wording/guard/needles.ts'

export const NO_SECRETS: KnownSecrets = Object.freeze({
  find: () => [],
  names: () => [],
  unfinished: () => 0,
})
