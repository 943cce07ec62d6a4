/**
 * Sentences that ask for mails by their properties: attachments of somebody's mail, all newsletters, mail from somebody since a
 * time, all unread mail. The mails are listed again and selected by the owner's words and by declared fields. Data only. Called
 * by asked-at-home.ts, at home.
 */
import type { Phrases } from '../../phrase.ts'
import { words } from '../../phrase.ts'
import { AMONG } from './found.ts'
import { SOMEBODY } from './from-somebody.ts'
import { THING } from './shown.ts'
import { SHOWN } from './shown-steps.ts'

/** An English name of up to three words; the words after it say when, where or what about. */
const NAME =
  '(?!(?:since|from|in|on|at|about|regarding|by|and|or|but|today|yesterday|tomorrow|this|last|yet|so|me|my|us|it|there|here|in)(?:\\s|[.?!]*$))[^\\s,;.!?:@\\d]{2,40}'
const ANYBODY = `${NAME}(?:\\s${NAME}){0,2}?`

/** The newest mails of the inbox with this field set; their rows are `s2`. */
const thatAre = (field: string) =>
  [
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
    {
      ...{ id: 's2', do: 'select', from: 's1.emails', take: 'all' },
      where: { field, equals: true },
    },
  ] as const

const filingThose = (field: string, tool: string, more: { readonly [name: string]: string } = {}) =>
  [...thatAre(field), { id: 's3', do: 'tool', tool, args: { ids: { $ref: 's2.id' }, ...more } }] as const

const MAILINGS =
  '[my|the|these|those|of the|of my] (newsletters|mailings|mailing list mails|newsletter mails)'
const MAILINGS_DE = '(newsletter|newslettern|rundbriefe|werbemails)'
const EVERYTHING =
  '(everything|all|all mail|all mails|all emails|all messages|all my mail|all my mails|all my email|all my emails|all of my mail|all unread mail|all unread mails|every mail|every email|my whole inbox|the whole inbox|my inbox)'
const ALLES =
  '(alles|alle|alle mails|alle e-mails|alle nachrichten|alle meine mails|den posteingang|meinen posteingang)'

/** The attachments of the mail with those words. */
const ATTACHED_TO = [
  { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
  {
    ...{ id: 's2', do: 'select', from: 's1.emails', take: 'first', matching: '{named}' },
    where: { field: 'hasAttachments', equals: true },
  },
  { id: 's3', do: 'tool', tool: 'email.attachment', args: { id: { $ref: 's2.id' } } },
] as const

export const ASKED: Phrases = {
  shapes: {
    thing: { pattern: THING, example: 'it' },
    anybody: { pattern: ANYBODY, example: 'Sarah' },
    somebody: { pattern: SOMEBODY, example: 'Sarah' },
    named: {
      pattern: '(?:[^\\s,;.!?:"\']{2,40}\\s){0,4}?[^\\s,;.!?:"\']{2,40}',
      example: 'invoice from Kessel',
    },
  },
  lists: {
    en: {
      attached: words(
        'attachment / attachments / attached file / attached files / attached document / attached pdf / file / pdf',
      ),
      read_it: [
        ...['read', 'read me', 'read out', 'open', 'show', 'show me', 'summarise', 'summarize'],
        ...["what's in", 'what is in', 'whats in', 'look into', 'look at'],
      ],
      whats: ["what's", 'whats', 'what is', 'what was', 'what does', 'what did'],
      came: [
        ...[
          'anything',
          'something',
          'any news',
          'any word',
          'any mail',
          'any mails',
          'any email',
          'any emails',
        ],
        ...['any message', 'any messages', 'any reply', 'any answer', 'mail', 'mails', 'email', 'emails'],
      ],
      wrote: words(
        'write / written / wrote / mail / mailed / email / emailed / reply / replied / answer / answered',
      ),
    },
    de: {},
  },
  asks: [
    {
      says: {
        en: [
          '[is there|is|are there|was there|have i got|do i have|did i get] <came> [new] from [the|my|our] {anybody} since {when}',
          '(did|has|have) [the|my|our] {anybody} <wrote> [back] [to] [me|us] [anything|something] since {when}',
          'what [new] (came|has come|arrived) from [the|my|our] {anybody} since {when}',
          'what (did|has) [the|my|our] {anybody} (write|written|send|sent) [me|us] since {when}',
        ],
      },
      past: true,
      plan: [{ id: 's1', do: 'tool', tool: 'email.list', args: { from: '{anybody}', since: '{when.from}' } }],
    },
    {
      says: {
        en: ['who [all] (wrote|has written|emailed|mailed|has emailed|has mailed) [to] [me|us] {when}'],
        de: ['wer hat [mir|uns] {when} [alles] (geschrieben|gemailt)'],
      },
      past: true,
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'email.list' },
          args: { since: '{when.from}', before: '{when.to}', count: 25 },
        },
      ],
    },
    {
      says: {
        en: [
          '<whats> [the|its] <attached> (of|in|from|to|on) {thing} (say|contain|about)',
          '<read_it> (the|its|that) <attached> (of|in|from|to|on) {thing}',
          '<whats> attached [to|in] {thing}',
        ],
        de: [
          'was (ist|war|hängt) [an] {thing} (angehängt|dran)',
          '(lies|öffne|zeig|zeige) [mir] (den anhang|die anlage) (von|aus) {thing}',
        ],
      },
      shown: { ...SHOWN, where: { field: 'hasAttachments', equals: true } },
      plan: [{ id: 's1', do: 'tool', tool: 'email.attachment', args: { id: '{one.id}' } }],
    },
    {
      says: {
        en: [
          '<whats> [the|its] <attached> (of|in|from|to|on) [the|my|that] {named} (say|contain|about)',
          '<read_it> (the|its|that) <attached> (of|in|from|to|on) [the|my|that] {named}',
          '<whats> attached to [the|my|that] {named}',
        ],
        de: [
          'was steht (im anhang|in der anlage) (von|vom|der|zu|zur|aus|aus der) [der|dem|meiner] {named}',
          '(lies|lies mir|öffne|zeig|zeige|zeig mir) (den anhang|die anlage) (von|vom|der|zu|zur|aus|aus der) [der|dem|meiner] {named} [vor]',
          'was (ist|hängt) an [der|dem] {named} (angehängt|dran)',
        ],
      },
      among: AMONG,
      plan: ATTACHED_TO,
    },
    {
      says: {
        en: [`(archive|file away|put away) [all] [of] ${MAILINGS}`],
        de: [`(archiviere|archivier) [alle] [die|meine] ${MAILINGS_DE}`],
      },
      plan: filingThose('mailing', 'email.archive'),
    },
    {
      says: {
        en: [`(delete|trash|bin|throw away) [all] [of] ${MAILINGS}`],
        de: [`(lösche|lösch) [alle] [die|meine] ${MAILINGS_DE}`],
      },
      plan: filingThose('mailing', 'email.delete'),
    },
    {
      says: {
        en: [`mark [all] [of] ${MAILINGS} as read`],
        de: [`(markiere|markier) [alle] [die|meine] ${MAILINGS_DE} als gelesen`],
      },
      plan: filingThose('mailing', 'email.mark', { as: 'read' }),
    },
    {
      says: {
        en: [`mark ${EVERYTHING} [as] read`],
        de: [`(markiere|markier) ${ALLES} [als] gelesen`],
      },
      shown: SHOWN,
      every: true,
      plan: [
        { id: 's1', do: 'tool', tool: 'email.list', args: { unread: true, count: 25 } },
        { id: 's2', do: 'select', from: 's1.emails', take: 'all' },
        { id: 's3', do: 'tool', tool: 'email.mark', args: { ids: { $ref: 's2.id' }, as: 'read' } },
      ],
    },
  ],
}
