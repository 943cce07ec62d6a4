/**
 * Converts the answers of twitterapi.io to the declared fields: those of a search lie at the top, those of an account one level deeper. Links are made from the
 * ids. A row without id or author is left out. Pure. Called by run.ts.
 */
import { cleanLine, cleanText, toDate } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { MAX_TWEETS, TWEET_TEXT } from './manifest.ts'

const ID = /^\d{1,25}$/
const USER = /^[A-Za-z0-9_]{1,15}$/
/** `Fri Nov 27 09:00:00 +0000 2026` */
const TIME = /^[A-Za-z]{3} ([A-Za-z]{3}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})$/

export function shapeTweets(answer: JsonRecord): object {
  const within = Array.isArray(fieldOf(answer, 'tweets')) ? answer : recordOf(answer, 'data')
  const rows = recordsOf(within, 'tweets').flatMap(shapeTweet)
  const paged = [answer, within].find((part) => fieldOf(part, 'has_next_page') === true)
  const next = paged === undefined ? '' : stringOf(paged, 'next_cursor')
  return {
    tweets: rows.slice(0, MAX_TWEETS),
    more: paged !== undefined || rows.length > MAX_TWEETS,
    ...(CURSOR.test(next) && { next }),
  }
}

/** Any longer or odder one cannot be kept, and the list ends there. */
const CURSOR = /^[\x21-\x7e]{1,250}$/

function shapeTweet(tweet: JsonRecord): readonly object[] {
  const [id, by] = [stringOf(tweet, 'id'), recordOf(tweet, 'author')]
  const author = stringOf(by, 'userName')
  if (!ID.test(id) || !USER.test(author)) return []
  const name = cleanLine(stringOf(by, 'name'), TWEET_TEXT.name)
  const created = instantOf(stringOf(tweet, 'createdAt'))
  return [
    {
      ...{ id, author },
      ...(name !== '' && { name }),
      text: cleanText(stringOf(tweet, 'text'), TWEET_TEXT.tweet),
      ...(created !== null && { created }),
      likes: countOf(tweet, 'likeCount'),
      reposts: countOf(tweet, 'retweetCount'),
      replies: countOf(tweet, 'replyCount'),
      answers: fieldOf(tweet, 'isReply') === true,
      link: `https://x.com/${author}/status/${id}`,
    },
  ]
}

function instantOf(text: string): string | null {
  const [, month, day, time, zone, year] = TIME.exec(text) ?? []
  return toDate(month === undefined ? text : `${day} ${month} ${year} ${time} ${zone}`)
}

function countOf(tweet: JsonRecord, key: string): number {
  const value = fieldOf(tweet, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
