/** How people ask for their calendar, and the plan that each sentence stands for. Data alone. Collected by `npm run tables`. */
import type { Phrases } from '../phrase.ts'

const SPAN = { from: '{when.from}', to: '{when.to}' }

export const CALENDAR_PHRASES: Phrases = {
  asks: [
    {
      says: {
        en: ['what is on my calendar {when}', 'what do I have {when}', 'show [me] my calendar for {when}'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN }],
    },
    {
      says: { en: ['when am I free {when}', 'am I free {when}', 'do I have time {when}'] },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.freebusy', args: SPAN }],
    },
    {
      says: { en: ['put {what} into my calendar for {when}', 'book {what} {when}'] },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.create_event', args: { title: '{what}', ...SPAN } }],
    },
  ],
}
