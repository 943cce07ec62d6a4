/**
 * Sentences that file mails by words in them: one mail, or all that have the words. The words of others decide which, so each
 * needs an approval. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { AMONG, found } from './found.ts'

/** A mail to many recipients, with up to three words that identify it. */
export const MAILING =
  '(?:[^\\s,;.!?:\\u0001]{1,30}\\s){0,3}(?:newsletter|mailing|digest|advert|promotion|rundbrief|werbemail)'

/** The same, with at least one identifying word. */
export const NAMED_MAILING =
  '(?:(?!(?:the|this|that|my|der|die|das|den|dem|diesen|dieser|meinen|unseren|vom|from)\\s)[^\\s,;.!?:\\u0001]{2,30}\\s){1,3}(?:newsletter|mailing|digest|rundbrief|list|mailing list)'

/** Several mails, without saying which. */
const SEVERAL =
  '(?<![a-z])(?:two|three|four|five|six|both|all|every|some|\\d+|zwei|drei|vier|fünf|alle|beiden?|mails|emails|letters|messages)(?![a-z])'

/** Files the mail with the words of a slot. */
function filing(tool: string, more: { readonly [name: string]: string } = {}, slot = '{what}') {
  return [...found(slot), { id: 's3', do: 'tool', tool, args: { ids: [{ $ref: 's2.id' }], ...more } }]
}

/** Files all of the newest mails with the words of `{these}`, in one call. */
function filingAll(tool: string, more: { readonly [name: string]: string } = {}) {
  return [
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
    { id: 's2', do: 'select', from: 's1.emails', matching: '{these}', take: 'all' },
    { id: 's3', do: 'tool', tool, args: { ids: { $ref: 's2.id' }, ...more } },
  ]
}

export const FILING_BY_WORDS: Phrases['asks'] = [
  {
    says: {
      en: [
        '(archive|file away) <all> <mail> (from|about) [the|my] {these}',
        '(archive|file away) <all> {these}',
      ],
      de: ['archiviere <all> {these}'],
    },
    among: AMONG,
    plan: filingAll('email.archive'),
  },
  {
    says: {
      en: [
        '(delete|trash|bin) <all> <mail> (from|about) [the|my] {these}',
        '(delete|trash|bin) <all> {these} <mail>',
      ],
    },
    among: AMONG,
    plan: filingAll('email.delete'),
  },
  {
    says: {
      en: [
        '(mark|flag) <all> <mail> (from|about) [the|my] {these} as read',
        '(mark|flag) <all> {these} as read',
      ],
    },
    among: AMONG,
    plan: filingAll('email.mark', { as: 'read' }),
  },
  {
    says: { en: ['archive [<the_one>] {what}', 'file away [<the_one>] {what}'] },
    among: AMONG,
    plan: filing('email.archive'),
  },
  {
    says: {
      en: [
        'delete (the|that) (mail|email|message) (from|about) [the|my] {what}',
        'delete (the|that) {what} (mail|email|message|newsletter)',
        '(put|move|throw) [<the_one>] {what} (in|into|to) [the|my] (trash|bin)',
      ],
    },
    among: AMONG,
    plan: filing('email.delete'),
  },
  {
    says: {
      en: ['(delete|trash|bin|throw away) (the|that|this) [last|latest|newest] {mailing}'],
      de: ['(lösche|lösch|entferne) (den|diesen) [letzten|neuesten] {mailing}'],
    },
    among: AMONG,
    plan: [
      ...found('{mailing}'),
      { id: 's3', do: 'tool', tool: 'email.delete', args: { ids: [{ $ref: 's2.id' }] } },
    ],
  },
  {
    says: { en: ['(put|move) [<the_one>] {what} (in|into|to) [the|my] (spam|junk) [folder]'] },
    among: AMONG,
    plan: filing('email.spam'),
  },
  {
    says: { en: ['(mark|flag) [<the_one>] {what} as read'] },
    among: AMONG,
    plan: filing('email.mark', { as: 'read' }),
  },
  {
    says: { en: ['(mark|flag) [<the_one>] {what} as unread'] },
    among: AMONG,
    plan: filing('email.mark', { as: 'unread' }),
  },
  {
    says: {
      en: [
        '(put|move|file|sort) [<the_one>] {these} (in|into|to|under) (a|the|my) [mail] (folder|label) (called|named) {folder}',
        '(put|move|file|sort) [<the_one>] {these} <letter> (in|into|to|under) [the|my] {folder} (folder|label)',
      ],
      de: [
        '(leg|lege|verschieb|verschiebe|pack|packe|schieb|schiebe) (die|den|das) {these} in (den|einen|meinen) ordner [namens] {folder}',
        '(leg|lege|verschieb|verschiebe|pack|packe|schieb|schiebe) (die|den|das) {these} (unter|in) das label [namens] {folder}',
      ],
    },
    among: AMONG,
    yields: true,
    unlike: SEVERAL,
    plan: filing('email.file', { folder: '{folder}' }, '{these}'),
  },
]
