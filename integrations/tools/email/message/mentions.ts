/**
 * Extracts what a mail mentions, by fixed rules: links, and its request from a closed set (J-01, J-04). Pure. Must not judge whether it is true. Called by shape.ts.
 */
import { toLink } from '../../../extractors/page-clean.ts'
import { EMAIL_REQUESTS, type EmailRequest, MAX_LINKS } from '../manifest.ts'

const LINK = /\bhttps?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
/** Punctuation that ends a sentence and is not part of the link. */
const LINK_TAIL = /[.,;:!?)\]]+$/

const REQUEST_WORDS: Readonly<Record<EmailRequest, RegExp>> = {
  reply:
    /\b(?:please (?:reply|respond|answer|let me know|get back)|let (?:me|us) know|rsvp|awaiting your (?:reply|answer))\b/i,
  meeting: /\b(?:meet(?:ing)?|calendar invite|schedule a call|are you (?:free|available)|book a time)\b/i,
  payment: /\b(?:invoice|payment (?:due|required)|amount due|please pay|overdue|wire transfer)\b/i,
  signature: /\b(?:please sign|signature required|e-?sign|docusign)\b/i,
  confirmation: /\b(?:please confirm|confirm your|verify your)\b/i,
  deadline: /\b(?:deadline|due (?:by|on|date)|no later than|by end of (?:day|week)|expires on)\b/i,
}

export function linksIn(text: string): readonly string[] {
  const found = [...text.matchAll(LINK)].flatMap(([link]) => toLink(link.replace(LINK_TAIL, '')) ?? [])
  return [...new Set(found)].slice(0, MAX_LINKS)
}

export function requestsIn(text: string): readonly EmailRequest[] {
  return EMAIL_REQUESTS.filter((request) => REQUEST_WORDS[request].test(text))
}
