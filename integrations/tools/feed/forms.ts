/** Requests for a feed said plainly, for those in words that no sentence has. Pure data. Must not plan. Collected by `npm run tables`. */
import { type Forms, READ } from '../form.ts'

/** An address with or without its scheme; what ends a sentence is none of it. */
const SITE = '(?:https?://)?[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,6}(?:/[^\\s<>"]{0,300}[^\\s<>".,;:!?)])?'

export const FEED_FORMS: Forms = {
  'web.feed': {
    ...{ ...READ, tool: 'web.feed', shapes: { site: SITE } },
    says: { en: ["what's new on {site}"], de: ['was gibt es neues auf {site}'] },
  },
}
