/**
 * Sentences that invite somebody to a new event, without an article: "invite my team to lunch on Friday at 12". A time makes it a
 * new event; "to the review" is an existing one. Always needs an approval. Data only. Called by new-guests.ts, at home.
 */
import type { Phrases } from '../../phrase.ts'

export const INVITING: Phrases = {
  shapes: {},
  lists: { en: {}, de: {} },
  asks: [
    {
      says: {
        en: [
          '(invite|bring|ask) {whom} (to|for) {what} {when}',
          '(invite|bring|ask) {whom} {when} (to|for) {what}',
        ],
        de: [
          '(lad|lade) {whom} (zum|zur|zu) {what} {when} ein',
          '(lad|lade) {whom} {when} (zum|zur|zu) {what} ein',
        ],
      },
      unlike: '(?:to|for) (?:the|my|our|that|this|his|her|their) ',
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
          args: { title: '{what}', from: '{when.from}', to: '{when.to}', attendees: '{whom}' },
        },
      ],
    },
  ],
}
