/**
 * Sentences that delete an event whose German title contains a place or a person: "lösche die Montage bei Müller". Excludes
 * things of other packages. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

const L = '[a-zäöüß]'
const NO_EVENT = `${L}*(?:mails?|post|nachricht(?:en)?|erinnerung(?:en)?|aufgaben?|dateien?|datei|notiz(?:en)?|ordner|kontakte?|liste|routinen?|briefing|überblick|rückblick|digest|jobs?|seiten?|adresse|nummer|rechnung|newsletter)`
/** "Montage bei Müller". */
export const VISIT = `(?!${NO_EVENT}(?!${L}))${L}[a-zäöüß-]{2,30} (?:bei|beim|mit|im) (?:(?:der|dem|den) )?${L}[a-zäöüß\\d-]{1,30}`

const ARTICLE = '[den|die|das|meinen|meine|mein|unseren|unsere] [termin]'
const WHEN = { from: '{when.from}', to: '{when.to}' }

function deleting(when: { readonly [name: string]: string }) {
  return [
    { id: 's1', do: 'tool', tool: 'calendar.list_events', args: when },
    { id: 's2', do: 'select', from: 's1.events', matching: '{visit}', take: 'one' },
    {
      ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
      args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' } },
    },
  ] as const
}

export const DROPPING: Phrases['asks'] = [
  {
    says: {
      de: [
        `(lösch|lösche|streich|streiche|entfern|entferne|cancel) ${ARTICLE} {visit} {when} [aus dem kalender]`,
        `(sag|sage) ${ARTICLE} {visit} {when} ab`,
      ],
    },
    plan: deleting(WHEN),
  },
  {
    says: {
      de: [
        `(lösch|lösche|streich|streiche|entfern|entferne|cancel) ${ARTICLE} {visit} [aus dem kalender|aus meinem kalender]`,
        `(sag|sage) ${ARTICLE} {visit} [bitte] ab`,
      ],
    },
    plan: deleting({}),
  },
]
