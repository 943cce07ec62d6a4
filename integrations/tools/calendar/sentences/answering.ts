/** Sentences that answer an invitation. Data only. Called by phrases.ts. */
import type { Phrase } from '../../phrase.ts'

const SPAN = { from: '{when.from}', to: '{when.to}' }

/** The sentences for one answer to an invitation, and its plan. */
export function answering(intent: NonNullable<Phrase['intent']>, verb: string, answer: string): Phrase {
  return {
    intent,
    says: {
      en: [`${verb} [my|the] {topic} + <invitation>`, `${verb} [my|the] {topic} + <activity>`],
    },
    takes: {
      ...{ who: 'from', when: { days: 60 } },
      topic: { before: 'invitation', behind: 'behind_invitation' },
    },
    needs: { when: 'needs_time', what: 'needs_invitation' },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN },
      { id: 's2', do: 'select', from: 's1.events', matching: 'said.topic', take: 'one' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.answer_invitation' },
        args: { id: { $ref: 's2.id' }, answer, calendar: { $ref: 's2.calendarId' } },
      },
    ],
  }
}
