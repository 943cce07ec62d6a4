/**
 * Plain sentences for appointments, for requests in words that no declared sentence has. Pure data. Must not plan. Collected by
 * `npm run tables`.
 */
import { type Forms, LOOKS, ON_LISTS, READ, SHOWN } from '../form.ts'

/** Matches requests for a new appointment. */
const BOOKS = /^(?:(?:please|bitte|can you|could you) )?(?:book|add|create|schedule|trage?|buche?)(?!\p{L})/iu
const OF_MAYBE_LIST = new RegExp(`${ON_LISTS.source}|${BOOKS.source}`, 'iu')

export const CALENDAR_FORMS: Forms = {
  'calendar.create_event': {
    ...{ ...SHOWN, tool: 'calendar.create_event', least: 0.45, unless: ON_LISTS },
    says: {
      en: ['put {what}[ with {who}][ at {where}] in my calendar {when}[ for {long}]'],
      de: ['trag {what}[ mit {who}][ in {where}] {when}[ für {long}] in den Kalender ein'],
    },
  },
  'calendar.update_event': {
    ...{ ...SHOWN, tool: 'calendar.update_event', least: 0.6, isOfOne: true, unless: OF_MAYBE_LIST },
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
    ...{ ...SHOWN, tool: 'calendar.delete_event', least: 0.6, isOfOne: true, unless: ON_LISTS },
    says: {
      en: ['cancel {what}[ with {who}][ {when}]', 'cancel {what}[ with {who}] {old}', 'cancel {which}'],
      de: ['sag {what}[ mit {who}][ {when}] ab', 'sag {what}[ mit {who}] {old} ab', 'sag {which} ab'],
    },
  },
  'calendar.answer_invitation': {
    ...{ ...SHOWN, tool: 'calendar.answer_invitation', unless: ON_LISTS },
    says: {
      en: ['{answer} the invitation to {what}[ {when}]', '{answer} the invitation from {from}'],
      de: ['{answer} the invitation to {what}[ {when}]', '{answer} the invitation from {from}'],
    },
  },
  'calendar.find_times': {
    ...{ ...LOOKS, tool: 'calendar.find_times', unless: ON_LISTS },
    ignoredParts: ['what'],
    says: {
      en: ['when can {who} and I meet[ {when}][ for {long}]'],
      de: ['wann können {who} und ich uns treffen[ {when}][ für {long}]'],
    },
  },
  'calendar.list_events': {
    ...{ ...READ, tool: 'calendar.list_events', least: 0.7, unless: ON_LISTS },
    says: { en: ['what is in my calendar {when}'], de: ['was steht {when} im Kalender'] },
  },
  'calendar.freebusy': {
    ...{ ...READ, tool: 'calendar.freebusy', least: 0.7, unless: ON_LISTS },
    says: { en: ['am i free {when}'], de: ['bin ich {when} frei'] },
  },
}
