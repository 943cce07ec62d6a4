/** Requests about Slack said plainly, for those in words that no sentence has. Pure data. Must not plan. Collected by `npm run tables`. */
import { type Form, type Forms, LOOKS, READ } from '../form.ts'
import { CHANNEL } from './phrases.ts'

const ON_SLACK = /(?<!\p{L})slack(?!\p{L})/iu
/** What somebody missed of no channel is what waits for them. */
const MISSED =
  /(?<!\p{L})slack(?!\p{L})(?=.*(?<!\p{L})(?:miss\p{L}*|verpass\p{L}*|catch\p{L}*)(?!\p{L}))|(?<!\p{L})(?:miss\p{L}*|verpass\p{L}*|catch\p{L}*)(?!\p{L}).*(?<!\p{L})slack(?!\p{L})/iu

const UNANSWERED: Form = {
  ...{ ...READ, tool: 'slack.list_unanswered', asksBy: ON_SLACK },
  says: { en: ['show my unanswered Slack messages'], de: ['zeig meine unbeantworteten Slack-Nachrichten'] },
}

export const SLACK_FORMS: Forms = {
  'slack.list_unanswered': UNANSWERED,
  'slack.read_channel': {
    ...{ ...READ, tool: 'slack.read_channel', shapes: { channel: CHANNEL } },
    otherwise: { ...UNANSWERED, asksBy: MISSED },
    says: { en: ['read the Slack channel {channel}'], de: ['lies den Kanal {channel}'] },
  },
  'slack.search': {
    ...{ ...LOOKS, tool: 'slack.search', least: 0.6, single: 'what', asksBy: ON_SLACK },
    ignoredParts: ['from', 'when', 'who', 'where'],
    says: { en: ['search Slack for {what}'], de: ['suche in Slack nach {what}'] },
  },
}
