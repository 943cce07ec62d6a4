/**
 * The declared action for unread mail and what it asks of the owner, with its sentences. Data only. Called by manifest.ts and
 * phrases.ts.
 */
import type { FieldSpec } from '../../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../../kernel/tool/manifest.ts'
import type { Phrases } from '../../phrase.ts'

type Common = Omit<ActionManifest, 'id' | 'description' | 'args' | 'output' | 'semantics'>

/** Maximum number of unread mails that are read, newest first. */
export const DIGESTED = 25
/** Maximum UTF-16 units of one sentence, with margin. */
const SENTENCE = 300

export function digestAction({
  READ,
  ACCOUNT,
  HEAD,
  SENSITIVE,
}: {
  readonly READ: Common & { readonly semantics: 'read' }
  readonly ACCOUNT: FieldSpec
  readonly HEAD: Readonly<Record<string, FieldSpec>>
  readonly SENSITIVE: string
}): ActionManifest {
  const DAY = { kind: 'date', optional: true } as const
  return {
    ...READ,
    id: 'email.digest',
    terms: ['digest', 'unanswered', 'summary', 'summarise', 'summarize', 'beantworten', 'zusammenfassen'],
    description: 'Unread mail, first what asks something of me, with that sentence; asking: only such.',
    doing: 'searching_mail',
    offline: { policy: { do: 'refuse' }, why: SENSITIVE },
    args: {
      kind: 'record',
      fields: { account: ACCOUNT, asking: { kind: 'boolean', optional: true }, since: DAY, before: DAY },
    },
    output: {
      kind: 'record',
      fields: {
        emails: {
          kind: 'list',
          max: DIGESTED,
          of: {
            kind: 'record',
            fields: {
              ...HEAD,
              unread: { kind: 'boolean' },
              /** Whether a sentence of the sender asks for something, by fixed rules. */
              asks: { kind: 'boolean' },
              sentence: { kind: 'text', max: SENTENCE, optional: true },
            },
          },
        },
        /** Number of unread mails that were examined. */
        unread: { kind: 'number' },
        more: { kind: 'boolean' },
      },
    },
  }
}

const MAILS = '(mails|mail|emails|email|e-mails|e-mail|messages|inbox)'
const POST = '(mails|mail|emails|e-mails|nachrichten|post)'

export const DIGEST: Phrases['asks'] = [
  {
    says: {
      en: [
        `(what|which ${MAILS}|which of my ${MAILS}|who|whom) [still|else] (needs|need|wants|want|expects|is waiting for|are waiting for|waits for) (an answer|a reply|answering|my answer|my reply|an answer from me|a reply from me) [from me] [by mail|in my mail|in my inbox]`,
        `(what|which ${MAILS}|whom|who) (do I have to|do I need to|do I still have to|do I still need to|should I|must I) (answer|reply to|write back to|respond to) [by mail|in my mail|in my inbox]`,
        `(what|who) in my ${MAILS} (needs|wants|expects) [me|an answer|a reply|something from me]`,
        `(is there|do I have|have I got) (any|a) [unread] ${MAILS} (I have to|I need to|I should|that I have to|that I need to|that needs to be) (answer|reply to|answered)`,
        `(show|list|give) [me] (the|my|all|all the) [unread] ${MAILS} (that need|that needs|that want|which need|that ask for|needing) (an answer|a reply|something from me)`,
        `(does|do) (anyone|anybody|someone) (need|want|expect) (an answer|a reply|something) from me [by mail]`,
      ],
      de: [
        '(was|wem|welche mails|welche nachrichten|welche mail) (muss|soll|sollte) ich [noch] [alles] (beantworten|antworten)',
        `(was|wer|welche ${POST}) (braucht|brauchen|erwartet|erwarten|wartet auf|warten auf|will|wollen) [noch] (eine|noch eine|meine) antwort [von mir] [per mail]`,
        `(was|wer|welche ${POST}) [noch] auf (eine|meine) antwort (wartet|warten)`,
        `(wer|was) (wartet|warten) [noch] auf (antwort|eine antwort|meine antwort) [von mir] [per mail]`,
        `(gibt es|hab ich|habe ich) ${POST} die ich [noch] beantworten (muss|soll|sollte)`,
        `(zeig|zeige) [mir] [die|alle] ${POST} (auf die ich antworten muss|die ich beantworten muss|die eine antwort brauchen)`,
      ],
    },
    plan: [{ id: 's1', do: 'tool', tool: 'email.digest', args: { asking: true } }],
  },
  {
    says: {
      en: [
        `(summarise|summarize|sum up|recap) [for me] [all] [my|the] (unread|new|unopened) ${MAILS} [for me]`,
        `(summarise|summarize|sum up|recap) [for me] my (inbox|mails|emails|e-mails|mail|email) [for me]`,
        `(give|show|get) me (a summary|a digest|a quick summary|an overview) of [all] [my|the] [unread|new] ${MAILS}`,
        `(a summary|a digest|an overview) of [my|the] [unread|new] ${MAILS} [please]`,
        `[my] mail (digest|summary) [please]`,
      ],
      de: [
        `(fass|fasse) [mir] [bitte] [alle] [meine|die] [ungelesenen|neuen] ${POST} [kurz|bitte] zusammen`,
        `[gib mir] [bitte] (eine zusammenfassung|einen überblick) [meiner|der|von meinen|über meine|über die|von den] [ungelesenen|neuen] ${POST}`,
      ],
    },
    plan: [{ id: 's1', do: 'tool', tool: 'email.digest', args: {} }],
  },
]
