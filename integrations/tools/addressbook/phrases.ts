/** Phrases that ask for contacts of an address book, and their plan. Data only. Collected by `npm run tables`. */
import type { Phrases } from '../phrase.ts'

const ADDING = [
  { id: 's2', do: 'tool', tool: 'contact.new', args: { people: { $ref: 's1.people' } } },
  {
    ...{ id: 's3', do: 'tool', tool: 'contact.add' },
    args: { people: { $ref: 's2.people' }, more: { $ref: 's2.more' }, unread: { $ref: 's1.unread' } },
    when: { ref: 's2.people', is: 'not_empty' },
  },
]

export const ADDRESSBOOK_PHRASES: Phrases = {
  lists: {
    en: {
      book: [
        'address book',
        'addressbook',
        'address books',
        'google contacts',
        'contacts app',
        'google',
        'icloud',
        'nextcloud',
      ],
    },
    de: { book: ['adressbuch', 'google-kontakten', 'google kontakten', 'icloud', 'nextcloud'] },
  },
  shapes: { person: { pattern: '[^\\s,;:?!][^,;:?!\\n]{0,60}?', example: 'Tom Baker' } },
  asks: [
    {
      says: {
        en: [
          '(suggest|propose|import|add|get|take|find) [me] [some|new|more|my|the|all] (contacts|people) (from|in|out of) [my|the] <book>',
          '(import|read|look through|go through) [my|the] <book>',
          'import [my|the|all] contacts',
        ],
        de: [
          '(schlag|schlage) [mir] [neue] kontakte aus [meinem|dem|meinen] <book> vor',
          '(importiere|lies) [meine|die] kontakte [aus [meinem|dem] <book>]',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'addressbook.list', args: {} }, ...ADDING],
    },
    {
      says: {
        en: [
          '(suggest|import|add|get|take|find|look up) {person} (from|in|out of) [my|the] <book>',
          '(suggest|import|add|get) [the] (contacts|people) (called|named|with|at) {person} (from|in|out of) [my|the] <book>',
        ],
        de: ['(nimm|importiere|suche|hol) {person} (aus|in) [meinem|dem|meinen] <book>'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'addressbook.list', args: { who: '{person}' } }, ...ADDING],
    },
  ],
}
