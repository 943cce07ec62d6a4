/** How people ask for what they deleted or booked to be taken back. Data only. Called by phrases.ts. */
import type { Phrase } from '../phrase.ts'

export const UNDO_GERMAN =
  '((mach|mache) [das|es] [wieder] rückgängig|(nimm|nehme) (das|es) [wieder] zurück|rückgängig)'

/** An event that was deleted last is made again, with its title and its time; nobody is invited to it. */
export const RESTORING: Phrase = {
  says: {
    en: [
      '(undo|undo that|undo it|take it back|take that back)',
      '(restore|undelete|recreate) (it|that|(the|that) (event|appointment|meeting))',
      '(bring|put) (it|that|(the|that) (event|appointment|meeting)) back [in|into|to|on] [my|the] [calendar|diary]',
    ],
    de: [UNDO_GERMAN, '(stell|stelle|hol|hole) (ihn|es|das|(den|diesen) termin) (wieder her|zurück)'],
  },
  shown: {
    ...{ lists: [], list: 'events', first: 'first', unknown: 'nothing_booked' },
    ...{ one: ['calendar.delete_event'], only: [], needs: ['title', 'from', 'to'] },
  },
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
      args: { title: '{one.title}', from: '{one.from}', to: '{one.to}' },
    },
  ],
}
