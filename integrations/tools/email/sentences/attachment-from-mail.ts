/**
 * Sentences that send an attachment of one mail with another: "send Tom the PDF from Sarah's mail", "reply to Ann with the
 * contract from Ben's mail". The card names the source mail, and the file with its size. Data only. Called by phrases.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { Phrases } from '../../phrase.ts'
import { PERSON } from '../../phrase.ts'
import { ofShown as of, SHOWN, SHOWN_READ } from './shown-steps.ts'

const WORD =
  '(?!(?:and|und|from|of|in|to|von|vom|aus|an|mit|with|mail|email|e-mail|message|link|address|adresse)(?![a-zäöüß]))[^\\s,;:!?\\u0001]{1,60}'
/** A few words that name a file, or its kind. */
export const PART = `${WORD}(?:\\s${WORD}){0,3}?`
/** A person by name; "it" is the mail that was shown. */
export const ANSWERED = `(?!(?:it|this|that|him|her|them|the|all|everyone|ihm|ihr|ihnen|sie|das|darauf|allen)\\b)${PERSON}`

/** The newest mail with attachments from that person. */
const HAVING = { ...SHOWN, where: { field: 'hasAttachments', equals: true } } as const

type Args = { readonly [name: string]: Json }

function sending(body: Args) {
  return [
    SHOWN_READ,
    {
      ...{ id: 's2', do: 'tool', tool: 'email.send' },
      args: { to: '{whom}', subject: of('subject'), ...body, filesFrom: of('id') },
    },
  ] as const
}

/** Answers the newest mail of the inbox from that person. */
function replying(body: Args) {
  const answered = (field: string) => ({ $ref: `s3.${field}` })
  return [
    SHOWN_READ,
    { id: 's2', do: 'tool', tool: 'email.list', args: { from: '{answered}' } },
    { id: 's3', do: 'select', from: 's2.emails', take: 'first' },
    {
      ...{ id: 's4', do: 'tool', tool: 'email.reply' },
      args: {
        ...{ to: answered('from'), replyTo: answered('replyTo'), id: answered('id') },
        ...{ subject: answered('subject'), ...body, filesFrom: of('id') },
      },
    },
  ] as const
}

const ONE = { files: ['{part}'] }
const SAID = { body: '{topic.whole}' }

const EN_TO = (what: string): readonly string[] => [
  `(<send>|mail|email|e-mail|forward) [to] {whom} (the|that|those|these) ${what} (from|of|in) {thing}`,
  `(<send>|mail|email|e-mail|forward) (the|that|those|these) ${what} (from|of|in) {thing} to {whom}`,
]
const DE_TO = (what: string): readonly string[] => [
  `<send> [an] {whom} (den|die|das) ${what} (aus|von) {thing}`,
  `<send> (den|die|das) ${what} (aus|von) {thing} an {whom}`,
]
const EN_BACK = (what: string): readonly string[] => [
  `<answer> [to] {answered} with (the|that|those|these) ${what} (from|of|in) {thing}`,
]
const DE_BACK = (what: string): readonly string[] => [
  `<answer> [auf] {answered} mit (dem|der|den) ${what} (aus|von) {thing}`,
]

function saying(sentences: readonly string[], tell: string): readonly string[] {
  return sentences.flatMap((one) => [`${one} ${tell} {topic}`, `${one} : {topic}`])
}

export const ATTACHMENT_FROM_MAIL_LISTS = {
  en: { attachments: ['attachment', 'attachments', 'attached file', 'attached files', 'files'] },
  de: { attachments: ['anhang', 'anhänge', 'anlage', 'anlagen', 'dateien'] },
}

const ALL = '<attachments>'
const PARTS = '{part}'

export const ATTACHMENT_FROM_MAIL: Phrases['asks'] = [
  {
    says: { en: saying(EN_TO(ALL), '<saying>'), de: saying(DE_TO(ALL), '<saying>') },
    shown: HAVING,
    plan: sending(SAID),
  },
  { says: { en: EN_TO(ALL), de: DE_TO(ALL) }, shown: HAVING, plan: sending({ body: of('subject') }) },
  {
    says: { en: saying(EN_TO(PARTS), '<saying>'), de: saying(DE_TO(PARTS), '<saying>') },
    shown: HAVING,
    plan: sending({ ...SAID, ...ONE }),
  },
  { says: { en: EN_TO(PARTS), de: DE_TO(PARTS) }, shown: HAVING, plan: sending({ body: '{part}', ...ONE }) },
  {
    says: { en: saying(EN_BACK(ALL), '<saying>'), de: saying(DE_BACK(ALL), '<saying>') },
    shown: HAVING,
    plan: replying(SAID),
  },
  {
    says: { en: saying(EN_BACK(PARTS), '<saying>'), de: saying(DE_BACK(PARTS), '<saying>') },
    shown: HAVING,
    plan: replying({ ...SAID, ...ONE }),
  },
  {
    says: { en: EN_BACK(PARTS), de: DE_BACK(PARTS) },
    shown: HAVING,
    plan: replying({ body: '{part}', ...ONE }),
  },
]
