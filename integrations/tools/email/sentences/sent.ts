/**
 * Sentences about sent mail: "what did I send?", "was hast du da geschrieben?", "did she get it?". The newest sent mail is read;
 * no mailbox can tell whether somebody read it. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

const I = '(I|we|you)'
const MAIL = '(mail|email|e-mail|message|reply|answer)'

export const SENT_LAST: Phrases['asks'] = [
  {
    says: {
      en: [
        `what (did|have) ${I} [just|actually|last|really] (send|sent|write|written) [there|out|him|her|them|to him|to her|to them]`,
        `what (did|have) ${I} [just] (send|sent|write|written) in (that|the|my|your) ${MAIL}`,
        `(show|read|give) [me] [again] what ${I} [just|have|last] (sent|wrote|written) [out|him|her|them|to him|to her|to them]`,
        `(show|read|open) [me] [the|my|that|your] [last|latest] (sent ${MAIL}|${MAIL} [that|which] ${I} [just] (sent|wrote))`,
        `(did|has) (she|he|they|it|the ${MAIL}|my ${MAIL}) (get it|got it|received it|receive it|get my ${MAIL}|reach her|reach him|reach them|reached her|reached him|reached them|get to her|get to him|get to them|arrive|arrived|go out|gone out|go through|gone through|get sent|been sent)`,
        `(was|is) (it|the ${MAIL}|my ${MAIL}|that) [really|actually] (sent|gone|out)`,
        `(did|have) ${I} [really|actually] (send|sent) (it|that|the ${MAIL}|my ${MAIL})`,
      ],
      de: [
        'was (hast du|habe ich|hab ich|haben wir) [da|denn|ihm|ihr|ihnen|eigentlich] [gerade|genau|eben|zuletzt] (geschrieben|geschickt|verschickt|gesendet|geantwortet)',
        '(zeig|zeige|lies) [mir] [nochmal] was (ich|du|wir) [da|ihm|ihr|ihnen] [gerade|eben|zuletzt|als letztes] (geschrieben|geschickt|verschickt|gesendet|geantwortet) (habe|hab|hast|haben)',
        '(hat|haben) (sie|er|es) (sie|die mail|meine mail|die antwort|die nachricht|es) [schon] (bekommen|gekriegt|erhalten)',
        '(ist|ging) (sie|die mail|meine mail|die antwort|das|es) [schon|wirklich] [bei ihr|bei ihm|bei ihnen] (raus|rausgegangen|angekommen|verschickt|gesendet|weg)',
        '(zeig|zeige|lies) [mir] (die|meine) [letzte|zuletzt] (gesendete|geschickte|verschickte) (mail|nachricht) [an|vor]',
      ],
    },
    yields: true,
    plan: [
      { id: 's1', do: 'tool', tool: 'email.list', args: { in: 'sent', count: 1 } },
      {
        ...{ id: 's2', do: 'tool', tool: 'email.read' },
        args: { id: { $ref: 's1.emails[0].id' } },
        when: { ref: 's1.emails', is: 'not_empty' },
      },
    ],
  },
]
