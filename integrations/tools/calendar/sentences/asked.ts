/**
 * Sentences that ask about the calendar and are in no training table: "what's up today". Data only. Called by asked-at-home.ts,
 * at home.
 */
import type { Phrases } from '../../phrase.ts'
import { words } from '../../phrase.ts'

export const ASKED_OF_CALENDAR: Phrases = {
  shapes: {},
  lists: {
    en: {
      greeting: words(
        'morning / good morning / hi / hello / hey / evening / good evening / afternoon / good afternoon',
      ),
      whats: ["what's", 'whats', 'what is'],
    },
    de: {},
  },
  asks: [
    {
      says: { en: ['[<greeting>] [,] <whats> up {when}', '[<greeting>] [,] <whats> up for {when}'] },
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'calendar.list_events' },
          args: { from: '{when.from}', to: '{when.to}' },
        },
      ],
    },
  ],
}
