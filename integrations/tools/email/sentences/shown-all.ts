/**
 * Sentences that file all mails of the list just shown: "mark everything as read", "archive them all". Data only. Called by
 * phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './shown-steps.ts'

const MAILS = '(mails|emails|e-mails|messages|unread ones|ones)'

export const SHOWN_ALL_LISTS = {
  en: {
    all: ['all', 'all the', 'all my', 'all of the', 'all of my', 'every'],
    those: [
      '(them|these|those) [all|both]',
      '(all|both) of (them|these|those)',
      `(all|both) [of] (these|those|the|my) [unread|new] ${MAILS}`,
      `(these|those) [unread|new] ${MAILS}`,
      'what (you|you have|youve) [just] (showed|shown|listed) [me]',
      '[the] (mails|emails|ones) [that] you [just] (showed|listed) [me]',
    ],
    everything: [
      '<those>',
      'everything [here|there]',
      `all [unread|new] [${MAILS.slice(1, -1)}]`,
      'the [whole] lot',
    ],
  },
  de: {
    all: ['alle', 'alle meine', 'alle die', 'sämtliche'],
    those: [
      '(sie|die|diese) [alle|beide]',
      'alle (davon|diese|die|beide)',
      'alle (diese|die) [neuen] (mails|e-mails|nachrichten)',
      'was du [mir] [gerade|eben] (gezeigt|aufgelistet) hast',
    ],
    everything: ['<those>', 'alles', 'alle [ungelesenen|neuen|meine] [mails|e-mails|nachrichten]'],
  },
} as const

function filing(tool: string, more: { readonly [name: string]: string } = {}) {
  return {
    shown: SHOWN,
    plan: [{ id: 's1', do: 'tool', tool, args: { ids: '{every.id}', ...more } }],
  } as const
}

/**
 * A pronoun alone refers to them only if nothing was shown since; words such as "all of them" do until another package shows
 * something.
 */
function each(says: Says, does: ReturnType<typeof filing>): Phrases['asks'] {
  const byPronoun = Object.entries(says).map(([language, own]) => [
    language,
    own.map((one) => one.replace(/<(?:everything|those)>/, language === 'de' ? SIE : THEY)),
  ])
  return [
    { says: Object.fromEntries(byPronoun) as Says, ...does, every: 'last' },
    { says, ...does, every: true, unlike: ALONE },
  ]
}

const THEY = '(them|these|those)'
const SIE = '(sie|die|diese)'
/** A pronoun without a word for "all". */
const ALONE =
  '(?<!\\b(?:all|both|alle|beide)(?: of)? )\\b(?:them|these|those|sie|die|diese)(?=[.!?]*$| (?:as|to|in|into|read|unread|als|auf|gelesen|ungelesen|archivieren)\\b(?! (?:mails|emails|e-mails|messages|ones)\\b))'

type Says = Phrases['asks'][number]['says']

export const SHOWN_ALL: Phrases['asks'] = [
  ...each(
    {
      en: ['(mark|flag|set) <everything> [as|to] read', 'mark as read <everything>'],
      de: [
        '(markiere|markier|setz|setze) <everything> [als|auf] gelesen',
        '(mach|mache) <everything> auf gelesen',
        '<everything> (als|auf) gelesen [markieren|setzen]',
      ],
    },
    filing('email.mark', { as: 'read' }),
  ),
  ...each(
    {
      en: ['(mark|flag|set) <everything> [as|to] unread'],
      de: ['(markiere|markier|setz|setze) <everything> [als|auf] ungelesen'],
    },
    filing('email.mark', { as: 'unread' }),
  ),
  ...each(
    {
      en: ['(archive|file away|put away) <everything>'],
      de: ['(archiviere|archivier) <everything>', '<everything> archivieren'],
    },
    filing('email.archive'),
  ),
  ...each(
    {
      en: ['(delete|trash|bin) <those>', '(put|move|throw) <those> (in|into|to) [the|my] (trash|bin)'],
      de: ['(lösche|lösch|entferne) <those>'],
    },
    filing('email.delete'),
  ),
]
