/** Sentences that ask for the content of an attachment or an invitation. Data only. Called by phrases.ts. */
import type { Phrases } from '../../phrase.ts'
import { AMONG, of } from './found.ts'
import { SHOWN } from './shown-steps.ts'

const step = (args: { readonly [name: string]: string }) =>
  [{ id: 's1', do: 'tool', tool: 'email.attachment', args }] as const

/** The newest mail of the inbox with files; `matching`: with these words. */
function withFiles(
  more: { readonly matching?: string } = {},
  args: { readonly [name: string]: string } = {},
) {
  return [
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
    {
      ...{ id: 's2', do: 'select', from: 's1.emails', take: 'first', ...more },
      where: { field: 'hasAttachments', equals: true },
    },
    { id: 's3', do: 'tool', tool: 'email.attachment', args: { id: of('id'), ...args } },
  ] as const
}

export const OPENING_LISTS = {
  en: {
    attachment: ['attachment', 'attached file', 'attached document', 'attached pdf', 'attached spreadsheet'],
    invitation: ['invitation', 'invite', 'calendar invitation', 'calendar invite', 'meeting invitation'],
    read_it: [
      ...['read', 'read me', 'read out', 'open', 'show', 'show me', 'summarise', 'summarize', 'sum up'],
      ...["what's in", 'what is in', 'what does it say in', 'what stands in', 'look into', 'look at'],
    ],
  },
  de: {
    attachment: ['anhang', 'anlage', 'angehängten datei', 'angehängte datei'],
    invitation: ['einladung', 'termineinladung', 'kalendereinladung'],
    read_it: [
      'lies',
      'lies mir',
      'öffne',
      'zeig',
      'zeige',
      'zeig mir',
      'was steht in',
      'was steht im',
      'was ist in',
    ],
  },
}

export const OPENING: Phrases['asks'] = [
  {
    says: {
      en: [
        '<read_it> (the|its|that|this) <attachment>',
        '<read_it> (the|its|that) <attachment> (of|in|from) {thing}',
        'what (does|did) (the|its|that) <attachment> (say|contain)',
        'what (does|did) (the|its) <attachment> (of|in) {thing} (say|contain)',
        "what (is|was|'s) attached [to {thing}]",
      ],
      de: [
        '<read_it> (den|der|dem|die) <attachment> [vor]',
        '<read_it> <attachment> [vor]',
        'was steht im anhang',
      ],
    },
    shown: SHOWN,
    otherwise: withFiles(),
    plan: step({ id: '{one.id}' }),
  },
  {
    says: {
      en: [
        '<read_it> (the|its) (attachment|attached file) {attached}',
        'what (does|did) (the|its) (attachment|attached file) {attached} (say|contain)',
      ],
      de: ['<read_it> (den|dem) anhang {attached} [vor]'],
    },
    shown: SHOWN,
    otherwise: withFiles({}, { file: '{attached}' }),
    plan: step({ id: '{one.id}', file: '{attached}' }),
  },
  {
    says: {
      en: [
        '<read_it> (the|that) <attachment> (from|by) [the|my] {who}',
        'what (does|did) (the|that) <attachment> (from|by) [the|my] {who} (say|contain)',
      ],
      de: ['<read_it> (den|der|dem|die) <attachment> von [der|dem] {who} [vor]'],
    },
    among: AMONG,
    plan: withFiles({ matching: '{who}' }),
  },
  {
    says: {
      en: [
        '<read_it> (the|that|this|my) [latest|newest|last] <invitation>',
        '(when|where|what) is (the|that|this) <invitation> [for|about]',
        'what (does|did) (the|that|this) <invitation> say',
        '(who|what) (is invited|invites me|am i invited to) [to|in] [the|that|this] [<invitation>]',
        'what am i invited to',
      ],
      de: [
        '<read_it> (die|der|den) <invitation> [vor]',
        'wozu bin ich eingeladen',
        'wann ist die <invitation>',
      ],
    },
    shown: SHOWN,
    otherwise: [{ id: 's1', do: 'tool', tool: 'email.invitation', args: {} }],
    plan: [{ id: 's1', do: 'tool', tool: 'email.invitation', args: { id: '{one.id}' } }],
  },
  {
    says: {
      en: [
        '<read_it> (the|that) <invitation> (from|by) [the|my] {who}',
        'what (does|did) (the|that) <invitation> (from|by) [the|my] {who} say',
      ],
      de: ['<read_it> (die|der) <invitation> von [der|dem] {who} [vor]'],
    },
    among: AMONG,
    plan: [
      { id: 's1', do: 'tool', tool: 'email.list', args: { count: 25 } },
      {
        ...{ id: 's2', do: 'select', from: 's1.emails', take: 'first', matching: '{who}' },
        where: { field: 'hasAttachments', equals: true },
      },
      { id: 's3', do: 'tool', tool: 'email.invitation', args: { id: of('id') } },
    ],
  },
]
