/** Empty: requests to leave a list belong to the mail tool, which knows the mail. Data only. Collected by `npm run tables`. */
import type { Phrases } from '../phrase.ts'

export const UNSUBSCRIBE_PHRASES: Phrases = { asks: [] }
