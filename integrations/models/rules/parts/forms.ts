/**
 * How a request is said plainly, by what it is of: sentences with places for its parts, each of which the declared sentences read. Pure data. Must not plan.
 * Called by plain.ts.
 */
import type { PartName } from '../../../extractors/learned/tags.ts'
import type { Language } from '../../../../kernel/wording/languages.ts'

export interface Form {
  /** The action that must come of it. */
  readonly tool: string
  /** How likely the message must be of it. */
  readonly least: number
  /** Of several things, each is a request of its own. */
  readonly each?: PartName
  /** `{part}` must be there, `[… {part}]` may; the first that has a place for every part is taken. */
  readonly says: Readonly<Record<Language, readonly string[]>>
}

/** How likely a message must be of something: what a card shows first, and what it does at once. */
const LEAST = { shown: 0.4, done: 0.5 } as const

/** By the label of the trained table. */
export const FORMS: Readonly<Record<string, Form>> = {
  'calendar.create_event': {
    ...{ tool: 'calendar.create_event', least: LEAST.shown },
    says: {
      en: ['put {what}[ with {who}][ at {where}] in my calendar {when}[ for {long}]'],
      de: ['trag {what}[ mit {who}][ in {where}] {when}[ für {long}] in den Kalender ein'],
    },
  },
  'calendar.update_event': {
    ...{ tool: 'calendar.update_event', least: LEAST.shown },
    says: {
      en: ['move {what} from {old} to {when}', 'move {what} to {when}', 'make {what} {by}', 'move {which} to {when}'],
      de: ['verschiebe {what} von {old} auf {when}', 'verschiebe {what} auf {when}', 'verschiebe {what} um {by}', 'verschiebe {which} auf {when}'],
    },
  },
  'calendar.delete_event': {
    ...{ tool: 'calendar.delete_event', least: LEAST.shown },
    says: {
      en: ['cancel {what}[ with {who}][ {when}]', 'cancel {what}[ with {who}] {old}'],
      de: ['sag {what}[ mit {who}][ {when}] ab', 'sag {what}[ mit {who}] {old} ab'],
    },
  },
  'calendar.answer_invitation': {
    ...{ tool: 'calendar.answer_invitation', least: LEAST.shown },
    says: { en: ['{answer} the invitation to {what}'], de: ['{answer} the invitation to {what}'] },
  },
  'calendar.find_times': {
    ...{ tool: 'calendar.find_times', least: LEAST.shown },
    says: {
      en: ['when can {who} and I meet[ {when}][ for {long}]', 'find {long} for me[ {when}]'],
      de: ['wann können {who} und ich uns treffen[ {when}][ für {long}]'],
    },
  },
  'reminder.set': {
    ...{ tool: 'reminder.set', least: LEAST.done },
    says: {
      en: ['remind me {when} to {what}', 'remind me {early} {what}'],
      de: ['erinnere mich {when}: {what}', 'erinnere mich {early} {what}'],
    },
  },
  'task.add': {
    ...{ tool: 'task.add', least: LEAST.done, each: 'what' },
    says: {
      en: ['add "{what}" to my list', 'add "{what} {when}" to my list', 'add "{what}" to my {list} list'],
      de: ['setz "{what}" auf die Liste', 'setz "{what} {when}" auf die Liste', 'setz "{what}" auf die Liste'],
    },
  },
  'task.done': {
    ...{ tool: 'task.done', least: LEAST.done },
    says: { en: ['tick off {what}'], de: ['hake {what} ab'] },
  },
  memory_save: {
    ...{ tool: 'memory.save', least: LEAST.done, each: 'what' },
    says: { en: ['remember: {what}'], de: ['merk dir: {what}'] },
  },
  'email.send': {
    ...{ tool: 'email.send', least: LEAST.shown },
    says: {
      en: ['write an email to {who}: {text}', 'write an email to {who} about {what}: {text}'],
      de: ['schreib {who} eine Mail: {text}'],
    },
  },
  'email.reply': {
    ...{ tool: 'email.reply', least: LEAST.shown },
    says: {
      en: ['reply to {who}: {text}', 'reply to {from}: {text}', 'reply to {which}: {text}'],
      de: ['antworte {who}: {text}', 'antworte {from}: {text}', 'antworte auf {which}: {text}'],
    },
  },
  'email.forward': {
    ...{ tool: 'email.forward', least: LEAST.shown },
    says: {
      en: ["forward {from}'s mail about {what} to {who}", "forward {from}'s mail to {who}", 'forward the mail about {what} to {who}', 'forward {which} to {who}'],
      de: ['leite die Mail von {from} wegen {what} an {who} weiter', 'leite die Mail von {from} an {who} weiter', 'leite die Mail wegen {what} an {who} weiter', 'leite {which} an {who} weiter'],
    },
  },
  'weather.forecast': {
    ...{ tool: 'weather.forecast', least: LEAST.shown },
    says: { en: ["what's the weather in {where}[ {when}]"], de: ['wie wird das Wetter in {where}[ {when}]'] },
  },
  'files.search': {
    ...{ tool: 'files.search', least: LEAST.shown },
    says: { en: ['search my files for {what}'], de: ['such in meinen Dateien nach {what}'] },
  },
}
