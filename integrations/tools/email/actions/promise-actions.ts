/**
 * The declared action for what the owner promised in sent mail, with its sentences. Data only. Called by manifest.ts and
 * phrases.ts.
 */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import type { Phrases } from '../../phrase.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

/** Days of sent mail and number of mails that are searched, and sentences in one answer. */
export const PROMISED = Object.freeze({ days: 30, mails: 60, most: 25 })
/** Maximum UTF-16 units of one sentence, with margin. */
const SENTENCE = 300

export function promiseAction({
  READ,
  ACCOUNT,
  TEXT,
  SENSITIVE,
}: {
  readonly READ: Common & { readonly semantics: 'read' }
  readonly ACCOUNT: FieldSpec
  readonly TEXT: { readonly name: number; readonly subject: number; readonly words: number }
  readonly SENSITIVE: string
}): ActionManifest {
  return {
    ...READ,
    id: 'email.promises',
    terms: ['promise', 'promised', 'promises', 'versprochen', 'zugesagt', 'owe'],
    description: `What I said I would do, in mail sent in the last ${PROMISED.days} days; to: whom.`,
    doing: 'searching_mail',
    offline: { policy: { do: 'refuse' }, why: SENSITIVE },
    args: {
      kind: 'record',
      fields: { account: ACCOUNT, to: { kind: 'text', max: TEXT.words, optional: true } },
    },
    output: {
      kind: 'record',
      fields: {
        emails: {
          kind: 'list',
          max: PROMISED.most,
          of: {
            kind: 'record',
            fields: {
              /** Id of the mail. */
              id: { kind: 'id' },
              to: { kind: 'email', optional: true },
              toName: { kind: 'text', max: TEXT.name },
              subject: { kind: 'text', max: TEXT.subject },
              date: { kind: 'date' },
              sentence: { kind: 'text', max: SENTENCE },
              due: { kind: 'date', optional: true },
            },
          },
        },
        /** Not all mails were read, or not all sentences fitted. */
        more: { kind: 'boolean' },
      },
    },
  }
}

export const PROMISES: Phrases['asks'] = [
  {
    says: {
      en: [
        '(what|what all) (did|have|had) I (promise|promised) [to] !(do|them|people|anyone|anybody|everyone) [the|my] {sender} [by mail]',
        'what (did|have) I (tell|told) [the|my] {sender} [that] (I would|I will|I was going to) do',
        'what (did|have) I (say|said) to [the|my] {sender} [that] (I would|I will) do',
      ],
      de: [
        'was (habe|hab) ich [dem|der|den] {sender} [alles] (versprochen|zugesagt)',
        'was (habe|hab) ich [alles] [dem|der|den] {sender} (versprochen|zugesagt)',
      ],
    },
    plan: [{ id: 's1', do: 'tool', tool: 'email.promises', args: { to: '{sender}' } }],
  },
  {
    says: {
      en: [
        '(what|what all) (did|have|had) I (promise|promised) [to] [do|them|people|anyone|anybody|everyone] [by mail|in my mails|lately|recently]',
        'what (did|have) I (say|said) [that] (I would|I will|I was going to) do [by mail|in my mails|lately|recently]',
        '(show|list) [me] (my|all my) promises',
        '(which|what) promises (did|have) I (make|made) [by mail|in my mails|lately|recently]',
        '[do] I owe (anyone|anybody|somebody|someone) (anything|something|an answer) by mail',
      ],
      de: [
        'was (habe|hab) ich [alles] [per mail] (versprochen|zugesagt)',
        '(zeig|zeige) [mir] meine (versprechen|zusagen)',
        'welche (versprechen|zusagen) (habe|hab) ich [per mail] gemacht',
      ],
    },
    plan: [{ id: 's1', do: 'tool', tool: 'email.promises', args: {} }],
  },
]
