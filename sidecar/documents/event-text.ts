/** An event of a calendar file in plain lines, for whoever reads the file as a text. The tools give the same as fields. Pure. Called by document-reader.ts. */
import type { InvitedEvent } from '../../integrations/extractors/document.ts'

const METHODS: Readonly<Record<InvitedEvent['method'], string>> = {
  request: 'Invitation',
  cancel: 'Cancelled event',
  reply: 'Answer to an invitation',
  publish: 'Event',
  other: 'Event',
}

export function eventText(event: InvitedEvent): string {
  const { method, title, from, to, repeats, place, note, organizer, attendees, invited } = event
  const beyond = invited - attendees.length
  const people = [...attendees, ...(beyond > 0 ? [`${beyond} more`] : [])].join(', ')
  return [
    `${METHODS[method]}: ${title === '' ? '(no title)' : title}`,
    `From: ${from}`,
    `To: ${to}`,
    ...(repeats ? ['It repeats.'] : []),
    ...(place === undefined ? [] : [`Place: ${place}`]),
    ...(organizer === undefined ? [] : [`Organizer: ${organizer}`]),
    ...(people === '' ? [] : [`Invited: ${people}`]),
    ...(note === undefined ? [] : ['', note]),
  ].join('\n')
}
