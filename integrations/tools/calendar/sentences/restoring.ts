/** Sentences that undo what the owner did to an event. Data only. Called by phrases.ts. */
import type { Phrase } from '../../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../../undo-words.ts'

/** Creates the event that was deleted last again, with its title and time; nobody is invited to it. */
export const RESTORING: Phrase = {
  says: {
    en: [
      UNDO,
      'undo (the|that) (deletion|delete|cancellation|removal)',
      '(restore|undelete|recreate) (it|that|(the|that) (event|appointment|meeting))',
      '(bring|put) (it|that|(the|that) (event|appointment|meeting)) back [in|into|to|on] [my|the] [calendar|diary]',
    ],
    de: [
      UNDO_GERMAN,
      '(mach|mache|nimm) (das löschen|die löschung|die absage|das absagen|das entfernen) [bitte] [wieder] (rückgängig|zurück)',
      '(stell|stelle|hol|hole|bring|bringe) (ihn|es|das|sie|(den|diesen) termin) [bitte|doch] [wieder] (wieder her|her|zurück)',
    ],
  },
  back: {
    ...{ of: ['calendar.delete_event'], by: 'calendar.create_event' },
    ...{ needs: ['title', 'from', 'to'], unknown: 'nothing_booked' },
  },
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
      args: { title: '{back.title}', from: '{back.from}', to: '{back.to}' },
    },
  ],
}

/**
 * Restores the former values of the event that was changed last; whoever was notified of the change is notified of this as well.
 */
export const CHANGING_BACK: Phrase = {
  says: {
    en: [
      UNDO,
      'undo (the|that) (move|change|rescheduling|edit|renaming)',
      '(put|move|set|change|bring|shift|switch) (it|that|this|(the|that) (event|appointment|meeting)) back [again] [to] [where it was|what it was|how it was|when it was|the way it was|as it was|(the|its) (old|original|previous|former) (time|day|date|slot|place|title|name)] [before]',
      '(leave|keep) (it|that|(the|that) (event|appointment|meeting)) (where|as|how|when|the way) it was [before]',
    ],
    de: [
      UNDO_GERMAN,
      '(mach|mache|nimm) (das verschieben|die verschiebung|die verlegung|das verlegen|die änderung|das umbenennen|die umbenennung) [bitte] [wieder] (rückgängig|zurück)',
      '(stell|stelle|leg|lege|schieb|schiebe|setz|setze|verschieb|verschiebe|verleg|verlege|mach|mache) (ihn|es|das|sie|(den|diesen) termin) [bitte|doch] [wieder] (wieder her|zurück|dahin zurück wo er war|wie er war|wie vorher|wieder wie vorher|auf die alte zeit|auf die alte uhrzeit)',
      '(lass|lasse) (ihn|es|das|(den|diesen) termin) (wie|wo) (er|es) war',
    ],
  },
  back: {
    ...{ of: ['calendar.update_event'], by: 'calendar.update_event' },
    ...{ needs: ['before'], unknown: 'nothing_booked' },
  },
  plan: [
    {
      ...{ id: 's1', do: 'tool', tool: 'calendar.update_event' },
      args: {
        ...{ id: '{back.id}', from: '{back.before.from}', to: '{back.before.to}' },
        ...{ title: '{back.before.title}', location: '{back.before.location}' },
        ...{ calendar: '{back.calendarId}', tell: '{back.guestsTold}' },
      },
    },
  ],
}
