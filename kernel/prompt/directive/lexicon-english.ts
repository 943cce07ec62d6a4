/**
 * English words by their meaning in a directive: whom it addresses, what is to be dropped, asked
 * for, become or unlocked (N-19). A single word proves nothing: stretches.ts finds the words, and
 * trained weights judge their combinations. Words only, `*` for any ending. Called by lexicon.ts.
 */
import type { Lexicon } from './meanings.ts'

export const ENGLISH: Lexicon = {
  drop: `ignor*|disregard*|forget*|overlook*|override|overriding|overrule*|bypass*|circumvent*|discard|neglect|abandon|dismiss|disobey|unlearn|
    supersede*|set aside|put aside|throw away|throw out|pay no attention|pay no heed|do not follow|don't follow|never follow|do not obey|
    don't obey|never obey|stop following|stop obeying|stop listening|cease following|no longer follow|no longer obey|do not listen|don't listen|
    never listen|never mind|nevermind|scrap|do not comply|don't comply|do not heed|do not adhere|leave aside|skip|stop what you are doing|
    stop what you're doing|instead of following|instead of obeying|regardless of|irrespective of|without regard to`,
  end: `void|revoked|cancelled|canceled|nullified|obsolete|superseded|overridden|suspended|lifted|rescinded|no longer apply|no longer valid|
    no longer applies|have changed|has changed|been replaced|are deleted|been deleted|null and void|reprogrammed`,
  wipe: 'delete|erase|wipe|reset|purge|clear|remove|cancel|drop|nullify|lift|disable|turn off|switch off|deactivate|suspend',
  prior: `previous*|prior|earlier|above|preceding|foregoing|former|past|original*|initial*|so far|until now|up to now|before this|precede|
    aforementioned|came before|stood before|at the start|at the beginning|in the beginning|before that|up to this point|until this point`,
  told: `told|instructed|taught|programmed|were given|was given|been given|you learned|you learnt|you know|you read|you received|you got|
    you have received|were asked|was asked|you think`,
  all: 'all|any|every|everything|everthing|anything|entire|whole|each|whatever',
  orders: `instruction*|iunstruction*|directive*|guideline*|prompt|prompts|rule|rules|restriction*|constraint*|programming|guardrail*|command|
    commands|orders|order|policy|policies|training|conditioning|limitation*|protocol*|safeguard*|filter*|directions|context|configuration|
    system message|safety measures|objective function|prime directive`,
  prompt: `system prompt|systemprompt|system_prompt|system message|system instruction*|initial instruction*|initial prompt|original instruction*|
    starting instruction*|hidden instruction*|secret instruction*|hidden prompt|developer message|developer prompt|developer instruction*|
    your instruction*|your prompt|your own instruction*|your own prompt|your rules|your guidelines|your directives|your programming|
    your preamble|context window|your configuration|custom instruction*|my instruction*|my system prompt|my prompt|my guidelines|
    i was instructed|i was told|i was programmed|system configuration|internal instruction*|internal guidelines|confidential instruction*|
    pre-prompt|preprompt|meta prompt|base prompt|hidden rules|secret rules|tool definitions|tool schema*|available tools|
    environment variables|env vars|your hidden|your secret instruction*|system settings|full prompt|entire prompt|whole prompt`,
  above: `text above|words above|everything above|all above|all of the above|message above|lines above|content above|above this line|
    above this message|before this message|before this line|this conversation|entire conversation|whole conversation|full conversation|
    conversation so far|our conversation|conversation history|chat history|previous message*|previous text|messages above|first line|
    first words|first sentence|preceding text|prior text|written above|said above|printed above|prompt above|instructions above|paragraph above`,
  ask: `reveal*|repeat*|print*|output*|display*|show*|tell|give|share|disclos*|dump|leak*|write|list|translat*|encod*|summarize|summarise|
    recite|copy|paste|return|expose|state|describe|explain|send|quote|spell|provide|rephrase|paraphrase|reproduce|append|include|complete|
    finish|convert|extract|read|echo|cat|console.log|what is|what's|what are|what were|what was|what did|what does|which|say|need to see|
    want to see|let me see|need to know|want to know|like to see|like to know|confirm|discuss|i need to see|i want to see|
    i need to know|i want to know|i would like to see|i would like to know|i'd like to see|i'd like to know|we need to see|we want to see`,
  exactly: `verbatim|word for word|exactly|in full|code block|base64|rot13|hex|pig latin|back to english|character by character|letter by letter|
    without omitting|without changes|as is|unmodified|unabridged|raw|token by token|starting with|beginning with|begin with|start with`,
  opening: `start your answer|start your reply|start your response|begin your answer|begin your reply|begin your response|start every|
    begin every|complete this sentence|complete the sentence|finish this sentence|finish the sentence|complete the following|fill in|
    continue the text|continue this text|continue the sentence|prefix your|preface your|end your answer|end your reply`,
  barred: `not supposed to|not allowed to|not permitted to|forbidden to|forbidden from|told not to|instructed not to|asked not to|
    prohibited from|never supposed to|must not tell|not tell me|not say|not reveal|may not say`,
  you: "you|your|yours|yourself|u|thou|thy|thine|you're|youre|you've",
  my: 'i|my|me|mine|we|our|us',
  be: `you are|you're|youre|u are|thou art|you will be|you shall be|you will act|you must act|act as|acting as|act like|behave as|behave like|
    pretend*|play the role|play the part|playing the role|role play|roleplay*|role-play*|impersonate*|simulate*|immerse yourself|
    your name is|your new name|call yourself|introduce yourself|identify yourself|identify as|refer to yourself|describe yourself|
    respond as|answer as|speak as|reply as|talk as|respond like|take on the role|take on the persona|assume the role|adopt the persona|
    assume the identity|adopt the role|step into|become|you become|role of|persona|stay in character|in character|function as|
    operate as|work as|serve as|rename yourself|switch your|change your|your identity|your persona|your personality|going to play|
    known as|you were made|you were created|you were trained|you were built|i am chatgpt|i'm chatgpt`,
  machine: `ai|a.i.|artificial intelligence|language model*|llm|llms|chatbot*|chat bot*|bot|bots|assistant|assistants|neural network*|
    virtual machine|ai model*|robot|agent|agents|superintelligence|agi|terminal|interpreter|virtual assistant*|automated system*`,
  product: `chatgpt*|chat gpt|gpt*|deepseek|qwen|mixtral|claude|gemini|bard|grok|llama|copilot|siri|alexa|cortana|sydney|dan|dude|stan|
    pfar|bing chat|wormgpt|freegpt|betterdan|jarvis|hal|skynet|hermes|falcon`,
  maker: 'openai*|open ai|anthropic*|deepmind|google|microsoft|meta|mistral|xai|apple|amazon',
  free: `unrestricted|unfiltered|uncensored|jailbroken|unbound|unshackled|without restriction*|without any restriction*|no restriction*|
    without rules|no rules|without limit*|no limit*|without any limit*|without filter*|no filter*|without censorship|without any filter*|
    do anything now|do anything|anything now|typical confines|free of all|free from all|break free|broken free|broken the|
    without hesitation|no matter how|regardless of the consequences|no longer bound|not bound|no ethical|without ethical|no morals|
    amoral|unethical|never refuse|cannot refuse|no guidelines|without guidelines|no owner|no system prompt|abide by|truly submissive|
    without warnings|without disclaimers|anything and everything|any question`,
  mode: `developer mode|dev mode|god mode|dan mode|system mode|debug mode|admin mode|administrator mode|root mode|sudo mode|jailbreak mode|
    jailbreak|maintenance mode|diagnostic mode|recovery mode|test mode|opposite mode|evil mode|unrestricted mode|override mode|
    verification mode|safety off|safety disabled|system reset|system override|admin override|administrator override|root override|
    security override|developer override|emergency override|override protocol|system check|superuser|simulator|privileged mode`,
  switched: `enabled|activated|engaged|initiated|unlocked|initiating|entering|activating|enabling|engaging|active|enter|activate|enable|
    engage|unlock|running|switch to|switching to|granted`,
  claim: `i am your|i'm your|as your creator|as your developer|as your owner|as your administrator|as your maker|as your god|i am god|i'm god|
    i am the president|i'm the president|president of the|i am the administrator|i'm the administrator|i am an administrator|
    i am the ceo|i'm the ceo|system administrator|certified|red teamer|red team|penetration tester|security researcher|ethical hacker|
    your developer*|your creator*|your maker*|your real user|your true owner|real user|your owner is|your user is|law enforcement|
    i have root|i have admin|authorized to|authorised to|with full authority|user has approved|user has already|has authorized|
    has authorised|permission granted|i hereby|this is openai|this is anthropic|message from me|message from the user|
    message from your|from me, the user|real owner|as an ai developed|as an ai created|as an ai trained|as an ai language model|
    developed by|trained by|created by|made by|owned by|built by`,
  now: `from now on|henceforth|from this point|from this moment|you are now|you're now|starting now|about to|effective immediately|
    as of now|from here on|now|going forward|hereby|no longer`,
  secret: `password*|secret key*|api key*|private key*|secret code|credential*|passphrase*|access token*|master key|access code|
    encryption key|your secret|your key|login details|bank balance*|bank account*|credit card*|social security`,
  personal: `personal data|personal information|private data|private information|personal details|user data|birth date|date of birth|
    email address*|phone number*|home address|city of residence|employee data|confidential data|public knowledge|shared freely|
    where does the|currently live|live in`,
  user: "the user|user's|the users|current user|the owner|owner's|the reader",
  imagine: `imagine*|suppose|picture a|envision|hypothetical*|in a world|a world where|in this world|world in which|let's say|let us say|
    let's imagine|let's pretend|scenario|fictional|fiction|thought experiment|for a novel|for my novel|for a story|for my story|
    once upon|alternate universe|parallel universe|alternate reality|dystopian|futuristic|science fiction|game where|
    let's play a game|we're in a|we are in a|we're on a|we are on a|in this game|let's assume|a future where|a society where`,
  must: "must|shall|have to|need to|should|never|always|only|do not|don't|required to",
  say: `state the following|we might state|say that|say the|respond with|reply with|answer with|respond only|answer only|reply only|
    respond|answer|reply|admit|just print|just say|just output|just write|state that|claim that|tell the user|tell them|state the output|
    state|output is|i admit|insert|use this`,
  instead: 'instead|just|simply|strictly|rather|actually|in fact|then',
  canyou: 'can you|could you|would you|will you|please',
  that: 'that|this|it|these|those|following',
  task: 'task|tasks|question|request|job|work|goal|mission|objective',
  send: 'send|forward|upload|transmit|exfiltrate|email|mail|transfer|wire|post|visit|open|click|go to|call|retrieve',
  hoard: `all messages|all emails|all e-mails|all mails|all files|all contacts|all conversations|inbox|mailbox|address book|every email|
    every message|all documents|all data|entire inbox|every file|data report|list of users|all users`,
  reader: `reading this|summarizing this|summarising this|processing this|reads this|processes this|summarizes this|summarises this|
    if you are an ai|if you're an ai|if you are a language|if you are an llm|note to|notice to|message to|message for|note for|instructions for|
    instruction for|instructions to|to the ai|to any ai|to all ai|dear ai|hello ai|hey ai|hello chatgpt|hi chatgpt|hey chatgpt|attention ai|
    dear assistant|hey assistant|ai assistants|ai assistant|ai agents|ai agent|automated assistant*|to you, chatgpt|to you, claude|
    handling this|parsing this|evaluate the candidate|evaluate this candidate|before you can solve|chain of thought|thorough analysis`,
  obey: `obey*|comply|complies|adhere*|listen to my|listen to me|follow my|follow these|follow the following|execute|execute the|
    serve the|act on|act only|decode and follow|carry out|do as|follow the user`,
  fresh: `new instruction*|new task|new directive*|new rule*|new prompt|important instruction*|new system|new orders|updated instruction*|
    real instruction*|real task|new priority|override instruction*|new objective|important new|following instruction*|new session|
    real prompt`,
  stated: `they|he|she|who|researchers|users|people|students|attackers|hackers|developers|models|article|paper|talk|essay|book|course|
    lesson|chapter|lecture|example|examples|called|titled|entitled|how to|why do|why does|explain the|difference between`,
}
