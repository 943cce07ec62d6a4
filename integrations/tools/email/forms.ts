/**
 * Plain sentences for mail requests, for those in words that no declared sentence has. Pure data. Must not plan. Collected by
 * `npm run tables`.
 */
import { type Forms, LOOKS, ON_LISTS, READ, SHOWN } from '../form.ts'

export const EMAIL_FORMS: Forms = {
  'email.send': {
    ...{ ...SHOWN, tool: 'email.send', least: 0.55, unless: ON_LISTS },
    says: { en: ['write an email to {who}: {text}'], de: ['schreib {who} eine Mail: {text}'] },
  },
  'email.draft': {
    ...{ ...SHOWN, tool: 'email.draft', unless: ON_LISTS },
    says: { en: ['draft an email to {who}: {text}'], de: ['draft an email to {who}: {text}'] },
  },
  'email.reply': {
    ...{ ...SHOWN, tool: 'email.reply', least: 0.6, unless: ON_LISTS },
    says: {
      en: ['reply to {who}: {text}', 'reply to {from}: {text}', 'reply to {which}: {text}'],
      de: ['antworte {who}: {text}', 'antworte {from}: {text}', 'antworte auf {which}: {text}'],
    },
  },
  'email.forward': {
    ...{ ...SHOWN, tool: 'email.forward', unless: ON_LISTS },
    says: {
      en: [
        ...["forward {from}'s mail about {what} to {who}", "forward {from}'s mail to {who}"],
        ...['forward the mail about {what} to {who}', 'forward {which} to {who}'],
      ],
      de: [
        'leite die Mail von {from} wegen {what} an {who} weiter',
        'leite die Mail von {from} an {who} weiter',
        'leite die Mail wegen {what} an {who} weiter',
        'leite {which} an {who} weiter',
      ],
    },
  },
  'email.archive': {
    ...{ ...SHOWN, tool: 'email.archive', isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['archive the mail from {from}', 'archive the mail about {what}'],
      de: ['archive the mail from {from}', 'archive the mail about {what}'],
    },
  },
  'email.delete': {
    ...{ ...SHOWN, tool: 'email.delete', least: 0.5, isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['delete the mail from {from}', 'delete the mail about {what}'],
      de: ['delete the mail from {from}', 'delete the mail about {what}'],
    },
  },
  'email.spam': {
    ...{ ...SHOWN, tool: 'email.spam', least: 0.5, isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['mark the mail from {from} as spam', 'mark the mail about {what} as spam'],
      de: ['mark the mail from {from} as spam', 'mark the mail about {what} as spam'],
    },
  },
  'email.move': {
    ...{ ...SHOWN, tool: 'email.file', least: 0.5, isOfOne: true, unless: ON_LISTS },
    says: {
      en: [
        'move the mail from {from} to the folder {where}',
        'move the mail about {what} to the folder {where}',
        'move the mail about {what} from {from} to the folder {where}',
      ],
      de: [
        'move the mail from {from} to the folder {where}',
        'move the mail about {what} to the folder {where}',
        'move the mail about {what} from {from} to the folder {where}',
      ],
    },
  },
  'email.mark': {
    ...{ ...SHOWN, tool: 'email.mark', least: 0.5, isOfOne: true, unless: ON_LISTS },
    by: {
      as: [
        [/un-?read|ungelesen|not read/iu, 'unread'],
        [/(?<!\p{L}|un-|not )(?:read|gelesen)(?!\p{L})/iu, 'read'],
      ],
    },
    says: {
      en: ['mark the mail from {from} as {as}', 'mark the mail about {what} as {as}'],
      de: ['mark the mail from {from} as {as}', 'mark the mail about {what} as {as}'],
    },
  },
  'email.unsubscribe': {
    ...{ ...SHOWN, tool: 'email.unsubscribe', isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['unsubscribe from {from}', 'unsubscribe from {what}'],
      de: ['unsubscribe from {from}', 'unsubscribe from {what}'],
    },
  },
  'email.read': {
    ...{ ...LOOKS, tool: 'email.read', least: 0.6, isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['read me the latest mail from {from}', 'read me the mail about {what}'],
      de: ['lies mir die letzte Mail von {from} vor', 'lies mir die Mail wegen {what} vor'],
    },
  },
  'email.list': {
    ...{ ...READ, tool: 'email.list', least: 0.6, unless: ON_LISTS },
    says: { en: ['any new mail from {from}'], de: ['any new mail from {from}'] },
  },
  'email.search': {
    ...{ ...READ, tool: 'email.search', least: 0.75, unless: ON_LISTS },
    says: {
      en: ['find mail from {from} about {what}', 'find mail about {what}', 'find mail from {from}'],
      de: ['such Mail von {from} wegen {what}', 'such Mail wegen {what}', 'such Mail von {from}'],
    },
  },
}
