/** Words that are written with a capital without being a name, or the beginning of one. */
export const NO_NAME: ReadonlySet<string> = new Set(
  (
    'The This That These Those There Then They Their We Our You Your He She His Her It Its And But Or If When While After ' +
    'Before Because Since Although Also Yes No Not Ok Okay Hey Hi Hello Thanks Thank Please Sorry Well So Just Maybe What ' +
    'Why How Where Who Which Can Could Would Should Will Let Do Does Did Is Are Was Were Has Have Had In On At To For From ' +
    'With By As An My Me Any All Some One Two Three First Next Last New Now Today Yesterday Tomorrow Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November December ' +
    "I'm I've I'll I'd It's That's There's What's Let's Don't Can't We're We've We'll You're You've They're " +
    'Seems Looks Having Doing Sounds Agreed Great Good Nice Cool Awesome Wow Oh Ah Hm Right Done Going Dear ' +
    'Der Die Das Den Dem Ein Eine Einen Wir Ich Sie Er Es Und Im Am Le La Les Un Une El Los Las Il ' +
    'Hallo Liebe Lieber Liebes Sehr Moin Guten Viele Beste Bonjour Salut Cher Chère Hola Estimado Estimada Caro Cara Both Each Every Another Many Most Such Even Still Once Only Otherwise Be Being Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Morning Afternoon Evening Weekend Ende Anfang Mitte ' +
    'MUST NOT OK OR AND NO YES TODO NOTE ALL ANY NEVER ALWAYS ONLY WARNING IMPORTANT THE IS IF IN ON TO DO FYI BTW ASAP LOL OMG IMO AM PM KB MB GB TB KiB MiB GiB UTC GMT CET CEST EST EDT PST PDT CST MST BST IST JST Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mr Mrs Ms Dr Prof Herr Frau'
  ).split(' '),
)

/** What begins a request, a list item or a line of news: before a name, in front of a sentence only. */
export const OPENING_WORDS: ReadonlySet<string> = new Set(
  (
    'Add Allow Announce Answer Apply Archive Arrives Ask Asked Assign Attend Avoid Book Bring Bump Bumps Buy Call Called Cancel Change ' +
    'Charge Check Choose Clean Click Close Closed Closes Comes Compare Confirm Contact Copy Costs Create Delete Deploy Discuss Download ' +
    'Draft Drive Drop Drops Edit Email Enable Ends Ensure Expect Export Extend Fetch File Find Finish Fix Fixed Follow Get Gets Give Go Got ' +
    'Handle Help Implement Import Improve Include Inform Install Introduce Invite Join Keep Key Leave Leaves Listen Log Look Made Mail ' +
    'Make Meet Meeting Merge Met Migrate Move Moved Needs Note Offer Open Order Ordered Pack Paid Pay Pick Ping Plan Post Print Publish Push Put Read ' +
    'Reads Rebuild Received Reload Remind Remove Rename Renew Replace Reply Report Request Reserve Restart Return Review Run Runs Saw Save ' +
    'Schedule See Sell Send Sent Set Share Ship Shipped Show Sign Skip Spoke Start Starts Stop Store Submit Support Supports Switch Take ' +
    'Talk Talked Tell Test Thank Told Track Try Turn Update Upgrade Upload Use Uses Using Verify Visit Wait Waiting Walk Want Watch ' +
    'Work Works Write Wrote'
  ).split(' '),
)
