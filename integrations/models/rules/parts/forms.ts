/**
 * Plain sentences for each action, with places for the parts of a request; each is matched by the declared
 * sentences. Pure data. Must not plan. Called by plain.ts and by-parts.ts.
 */
import type { Language } from '../../../../kernel/wording/languages.ts'
import type { PartName } from '../../../extractors/learned/tags.ts'

export interface Form {
  /** The action that must come of it. */
  readonly tool: string
  /** How likely the message must be of it. */
  readonly least: number
  /** Words that are neither a part nor often beside one: how many there may be. */
  readonly aside: number
  /** Of several of these, each is a request of its own. */
  readonly each?: PartName
  /**
   * It changes nothing: its `{when}` is all that is a time in the message, its `{named}` what it names, its
   * `{whole}` all of it.
   */
  readonly reads?: true
  /** Parts that say nothing of what is done. */
  readonly leaves?: readonly PartName[]
  /**
   * Part → argument of the action: said as another request of the same thing, whose last call becomes this
   * one.
   */
  readonly instead?: { readonly of: string; readonly takes: Readonly<Partial<Record<PartName, string>>> }
  /** `{part}` must be there, `[… {part}]` may; the first that has a place for every part is taken. */
  readonly says: Readonly<Record<Language, readonly string[]>>
}

/** What only shows something, what a card shows first, and what is done at once. */
const READ = { least: 0.5, aside: 20 } as const
export const SHOWN = { least: 0.4, aside: 7 } as const
const AT_ONCE = { least: 0.5, aside: 2 } as const

/** By the label of the trained table. */
export const FORMS: Readonly<Record<string, Form>> = {
  'calendar.create_event': {
    ...{ ...SHOWN, tool: 'calendar.create_event', least: 0.45 },
    says: {
      en: ['put {what}[ with {who}][ at {where}] in my calendar {when}[ for {long}]'],
      de: ['trag {what}[ mit {who}][ in {where}] {when}[ für {long}] in den Kalender ein'],
    },
  },
  'calendar.update_event': {
    ...{ ...SHOWN, tool: 'calendar.update_event', least: 0.6 },
    instead: { of: 'calendar.delete_event', takes: { where: 'location', new: 'title' } },
    says: {
      en: [
        ...['move {what}[ with {who}] from {old} to {when}', 'move {what}[ with {who}] to {when}'],
        ...['make {what} {by}', 'move {which} to {when}', 'make {which} {by}', 'make {what} {long} long'],
      ],
      de: [
        ...['verschiebe {what}[ mit {who}] von {old} auf {when}', 'verschiebe {what}[ mit {who}] auf {when}'],
        ...['verschiebe {what} um {by}', 'verschiebe {which} auf {when}', 'verschiebe {which} um {by}'],
      ],
    },
  },
  'calendar.delete_event': {
    ...{ ...SHOWN, tool: 'calendar.delete_event', least: 0.6 },
    says: {
      en: ['cancel {what}[ with {who}][ {when}]', 'cancel {what}[ with {who}] {old}', 'cancel {which}'],
      de: ['sag {what}[ mit {who}][ {when}] ab', 'sag {what}[ mit {who}] {old} ab', 'sag {which} ab'],
    },
  },
  'calendar.answer_invitation': {
    ...{ ...SHOWN, tool: 'calendar.answer_invitation' },
    says: {
      en: ['{answer} the invitation to {what}[ {when}]', '{answer} the invitation from {from}'],
      de: ['{answer} the invitation to {what}[ {when}]', '{answer} the invitation from {from}'],
    },
  },
  'calendar.find_times': {
    ...{ ...SHOWN, tool: 'calendar.find_times' },
    leaves: ['what'],
    says: {
      en: ['when can {who} and I meet[ {when}][ for {long}]'],
      de: ['wann können {who} und ich uns treffen[ {when}][ für {long}]'],
    },
  },
  'reminder.set': {
    ...{ ...AT_ONCE, tool: 'reminder.set', least: 0.75 },
    leaves: ['which'],
    says: {
      en: ['remind me {when} to {what}', 'remind me {early} {what}'],
      de: ['erinnere mich {when}: {what}', 'erinnere mich {early} {what}'],
    },
  },
  'task.add': {
    ...{ ...AT_ONCE, tool: 'task.add', least: 0.85, each: 'what' },
    leaves: ['list'],
    says: {
      en: ['add "{what}" to my list', 'add "{what} {when}" to my list'],
      de: ['setz "{what}" auf die Liste', 'setz "{what} {when}" auf die Liste'],
    },
  },
  'task.done': {
    ...{ ...AT_ONCE, tool: 'task.done' },
    leaves: ['list'],
    says: { en: ['tick off {what}'], de: ['hake {what} ab'] },
  },
  memory_save: {
    ...{ ...AT_ONCE, tool: 'memory.save', least: 0.75, each: 'what' },
    says: { en: ['remember: {what}'], de: ['merk dir: {what}'] },
  },
  'email.send': {
    ...{ ...SHOWN, tool: 'email.send', least: 0.55 },
    says: { en: ['write an email to {who}: {text}'], de: ['schreib {who} eine Mail: {text}'] },
  },
  'email.draft': {
    ...{ ...SHOWN, tool: 'email.draft' },
    says: { en: ['draft an email to {who}: {text}'], de: ['draft an email to {who}: {text}'] },
  },
  'email.reply': {
    ...{ ...SHOWN, tool: 'email.reply', least: 0.6 },
    says: {
      en: ['reply to {who}: {text}', 'reply to {from}: {text}', 'reply to {which}: {text}'],
      de: ['antworte {who}: {text}', 'antworte {from}: {text}', 'antworte auf {which}: {text}'],
    },
  },
  'email.forward': {
    ...{ ...SHOWN, tool: 'email.forward' },
    says: {
      en: [
        ...["forward {from}'s mail about {what} to {who}", "forward {from}'s mail to {who}"],
        ...['forward the mail about {what} to {who}', 'forward {which} to {who}'],
      ],
      de: [
        ...[
          'leite die Mail von {from} wegen {what} an {who} weiter',
          'leite die Mail von {from} an {who} weiter',
        ],
        ...['leite die Mail wegen {what} an {who} weiter', 'leite {which} an {who} weiter'],
      ],
    },
  },
  'email.archive': {
    ...{ ...SHOWN, tool: 'email.archive' },
    says: {
      en: ['archive the mail from {from}', 'archive the mail about {what}'],
      de: ['archive the mail from {from}', 'archive the mail about {what}'],
    },
  },
  'email.delete': {
    ...{ ...SHOWN, tool: 'email.delete', least: 0.5 },
    says: {
      en: ['delete the mail from {from}', 'delete the mail about {what}'],
      de: ['delete the mail from {from}', 'delete the mail about {what}'],
    },
  },
  'email.unsubscribe': {
    ...{ ...SHOWN, tool: 'email.unsubscribe' },
    says: {
      en: ['unsubscribe from {from}', 'unsubscribe from {what}'],
      de: ['unsubscribe from {from}', 'unsubscribe from {what}'],
    },
  },
  'notion.append': {
    ...{ ...SHOWN, tool: 'notion.append' },
    says: {
      en: ['append "{text}" to the notion page {where}'],
      de: ['append "{text}" to the notion page {where}'],
    },
  },
  'calendar.list_events': {
    ...{ ...READ, tool: 'calendar.list_events', least: 0.7, reads: true },
    says: { en: ['what is in my calendar {when}'], de: ['was steht {when} im Kalender'] },
  },
  'calendar.freebusy': {
    ...{ ...READ, tool: 'calendar.freebusy', least: 0.7, reads: true },
    says: { en: ['am i free {when}'], de: ['bin ich {when} frei'] },
  },
  'email.list': {
    ...{ ...READ, tool: 'email.list', least: 0.6, reads: true },
    says: { en: ['any new mail from {from}'], de: ['any new mail from {from}'] },
  },
  'email.search': {
    ...{ ...READ, tool: 'email.search', least: 0.75, reads: true },
    says: {
      en: ['find mail from {from} about {what}', 'find mail about {what}', 'find mail from {from}'],
      de: ['such Mail von {from} wegen {what}', 'such Mail wegen {what}', 'such Mail von {from}'],
    },
  },
  memory_search: {
    ...{ ...READ, tool: 'memory.search', reads: true },
    says: { en: ['what did i tell you about {named}'], de: ['was weißt du über {named}'] },
  },
  'web.search': {
    ...{ ...READ, tool: 'web.search', least: 0.65, reads: true },
    says: { en: ['search the web for {whole}'], de: ['such im Netz nach {whole}'] },
  },
  'weather.forecast': {
    ...{ ...SHOWN, tool: 'weather.forecast' },
    leaves: ['what'],
    says: { en: ["what's the weather in {where}[ {when}]"], de: ['wie wird das Wetter in {where}[ {when}]'] },
  },
  'files.search': {
    ...{ ...SHOWN, tool: 'files.search', least: 0.6 },
    leaves: ['where'],
    says: { en: ['search my files for {what}'], de: ['such in meinen Dateien nach {what}'] },
  },
}
