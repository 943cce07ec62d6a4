/**
 * Sentences that save the sender of the mail just shown as a contact: "save her address", "nimm ihn in meine Kontakte auf". Name
 * and address come from the mail, so a card shows them. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { ofShown as of, SHOWN, SHOWN_READ } from './shown-steps.ts'

const ADDRESS =
  '(address|mail address|email address|e-mail address|mail|email|e-mail|contact|contact details|details)'
const WHOM =
  '(him|her|them|the sender|this sender|that sender|this person|that person|whoever wrote (it|this|that))'
const BOOK = '[my|the] (contacts|contact list|address book|contact book)'
const ADRESSE = '(adresse|mailadresse|e-mail-adresse|mail-adresse|mail|kontaktdaten)'
const WEN = '(sie|ihn|den absender|die absenderin|diese person)'

export const SAVE_SENDER: Phrases['asks'] = [
  {
    says: {
      en: [
        `(save|keep|store|add|note|take down|remember) (his|her|their|the sender's|that|this) ${ADDRESS}`,
        `(save|keep|store|add|put|note) (his|her|their|the sender's|that|this) ${ADDRESS} (in|to|into|as) [a] ${BOOK}`,
        `(add|save|put|store|keep) ${WHOM} (in|to|into|among) ${BOOK}`,
        `(add|save|store|keep) ${WHOM} as a [new] contact`,
        `make ${WHOM} a contact [of mine]`,
        `(add|save) [a] [new] contact for ${WHOM}`,
      ],
      de: [
        `(speicher|speichere|merk dir|merke dir|notier|notiere|behalt|behalte) (ihre|seine|deren|diese) ${ADRESSE}`,
        `(speicher|speichere|notier|notiere) ${WEN} [als|unter|in] (kontakt|kontakte|meinen kontakten|meine kontakte)`,
        `(nimm|nehme) ${WEN} [in|zu] [meine|die|meinen] (kontakte|kontakten|adressbuch) auf`,
        `(füg|füge|trag|trage|nimm) ${WEN} (zu|in) [meinen|meine|den|die|mein] (kontakten|kontakte|adressbuch) [hinzu|ein|auf]`,
        `(mach|mache) ${WEN} zu einem kontakt`,
      ],
    },
    shown: SHOWN,
    plan: [
      SHOWN_READ,
      {
        ...{ id: 's2', do: 'tool', tool: 'contact.new' },
        args: { people: [{ name: of('fromName'), email: of('from') }] },
      },
      {
        ...{ id: 's3', do: 'tool', tool: 'contact.add' },
        args: { people: { $ref: 's2.people' }, more: { $ref: 's2.more' } },
        when: { ref: 's2.people', is: 'not_empty' },
      },
    ],
  },
]
