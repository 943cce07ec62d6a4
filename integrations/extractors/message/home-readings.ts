/**
 * Readings of what home alone can do: events that come again, and changes of events and mails in free words. Must not read anything itself. Imported by its name in
 * package.json (`#home-readings`); the edge, which has no events and no mail, has `home-readings-none.ts` in its place.
 */
export { changedLoosely } from '../learned/loose-change.ts'
export { repeatedIn } from '../timed/repeated-event.ts'
export { findPeople } from './contents/message-people.ts'
export { correctedIn } from './message-corrected.ts'
