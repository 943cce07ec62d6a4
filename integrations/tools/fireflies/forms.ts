/**
 * Plain sentences for requests about recorded meetings, for those in words that no declared sentence has. Pure data. Must not
 * plan. Collected by `npm run tables`.
 */
import { type Forms, READ } from '../form.ts'

const RECORDED =
  /(?<!\p{L})(?:fireflies|recorded|recordings?|aufgezeichnet\p{L}*|aufzeichnung(?:en)?)(?!\p{L})/iu
/** Words that mean the newest of several meetings. */
const LAST =
  /(?<!\p{L})(?:fireflies)(?!\p{L})(?=.*(?<!\p{L})(?:last|latest|newest|letzt\p{L}*|neuest\p{L}*)(?!\p{L}))|(?<!\p{L})(?:last|latest|newest|letzt\p{L}*|neuest\p{L}*)(?!\p{L}).*(?<!\p{L})fireflies(?!\p{L})/iu

export const FIREFLIES_FORMS: Forms = {
  'fireflies.list': {
    ...{ ...READ, tool: 'fireflies.list', asksBy: RECORDED },
    says: { en: ['show my fireflies meetings'], de: ['show my fireflies meetings'] },
  },
  'fireflies.get_transcript': {
    ...{ ...READ, tool: 'fireflies.get_transcript', asksBy: LAST },
    says: { en: ['show my last fireflies transcript'], de: ['show my last fireflies transcript'] },
  },
}
