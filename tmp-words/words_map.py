"""Old sentence -> new sentence, as tests contain them. Apply the longest first, and each place once (`apply` below)."""
import re

WORDS = {
    # English, whole sentences
    'You are offline. Your text is kept.': 'You are offline. Your text is safe here.',
    'Closed the window? Sign in to post.': 'You closed the window. Sign in to post.',
    'Your text is kept on this device.': 'Your text is safe here.',
    'You cannot comment here.': 'This site did not accept your sign-in.',
    'Continue in this page': 'Sign in on this page',
    'Continue in a new tab': 'Sign in in a new tab',
    'Stay here': 'Not now',
    'You’re near the character limit.': 'You are near the character limit.',
    'The comment service did not understand this request. Reload the page and try again.': 'Something went wrong. Reload the page and try again.',
    'The comment service did not accept this request. Reload the page and try again.': 'Something went wrong. Reload the page and try again.',
    'This sign-in link does not lead back to the comment service, so it was not used. Please sign in again.': 'This sign-in link leads somewhere else, so it was not used. Please sign in again.',
    'This page may not be used to sign in. Please contact the site.': 'Signing in is not available on this page.',
    'This page is not allowed to use the comment service. Please contact the site.': 'Comments are not available on this page.',
    'Comments are not set up for this page. Please contact the site.': 'Comments are not available on this page.',
    'The comment service confirmed a different account. Please sign in again.': 'This account is not the one you were shown. Please sign in again.',
    'The comment service was not found. Please contact the site.': 'Comments are not available on this page.',
    'The comment service could not answer this browser. Please contact the site.': 'Comments are not available in this browser. Please try another one.',
    'This site did not accept this comment.': 'The editors’ rules do not allow this comment.',
    'Please look at your answers again.': 'Some answers are missing or need a change.',
    'The comment service rejected this.': 'This was not accepted.',
    'The comment service gave an invalid response. Please try again.': 'We did not get a valid answer. Please try again.',
    'The comment service is not available right now. Please try again in a moment.': 'Comments are not available right now. Please try again in a moment.',
    'The comment service is not available right now.': 'Comments are not available right now.',
    'It is not certain whether this comment was posted.': 'We could not confirm that this comment was posted.',
    'The comment service could not be reached.': 'We could not connect.',
    'A firewall of this site blocked this. Please contact the site.': 'This site’s firewall stopped this. Try other words, or contact the site.',
    'Please look at this answer again:': 'One answer is missing or needs a change:',
    'Please look at these 2 answers again:': '2 answers are missing or need a change:',
    'Please look at these 3 answers again:': '3 answers are missing or need a change:',
    'Please look at these 4 answers again:': '4 answers are missing or need a change:',
    'Please tick this to continue.': 'Please confirm this to continue.',
    'Use the requested format.': 'Please check the format of this answer.',
    'Enter a valid date.': 'Please enter a valid date.',
    'The sign-in failed': 'The sign-in did not work',
    'Access was not allowed.': 'You did not allow access, so you are not signed in.',
    'Access was not allowed': 'You did not allow access',
    'You’ve already allowed access': 'You allowed this before',
    'It is not certain whether the sign-in succeeded. Please sign in again.': 'We could not confirm your sign-in. Please sign in again.',
    'The comment service did not accept this sign-in. Please sign in again.': 'Your sign-in was not accepted. Please sign in again.',
    'The comment service gave an invalid response. Please sign in again.': 'We did not get a valid answer. Please sign in again.',
    'This comment is not here any more.': 'This comment was removed.',
    # English, parts of sentences
    'Withdraw this site’s access in your account there, then sign in again.': 'Remove this site in your account there, then try again.',
    'This page is not allowed to use the comment service.': 'Comments are not available on this page.',
    'is not allowed to use the comment service': 'are not available on this page',
    'The comment service was not found.': 'Comments are not available on this page.',
    'does not lead back to the comment service': 'leads somewhere else',
    'It is not certain whether the sign-in succeeded.': 'We could not confirm your sign-in.',
    "'bad-service-response': 'invalid response'": "'bad-service-response': 'did not get a valid answer'",
    "includes('Please look at')": "includes('missing or need')",
    'did not accept this comment': 'do not allow this comment',
    'Closed the window?': 'You closed the window.',
    'confirmed a different account': 'is not the one you were shown',
    'did not accept this sign-in': 'Your sign-in was not accepted',
    'not set up for this page': 'Comments are not available on this page',
    "'could not be reached'": "'could not connect'",
    'This page is not allowed': 'not available on this page',
    "'different account'": "'not the one you were shown'",
    ".startsWith('Continue in ')": ".match(/^Sign in (?:on|in) /)",
    'edited now': 'edited just now',
    "'now', 'now', '1 minute ago'": "'just now', 'just now', '1 minute ago'",
    "'6 days ago', 'now',": "'6 days ago', 'just now',",
    # German
    'Kommentar posten': 'Kommentar absenden',
    'Antwort posten': 'Antwort absenden',
    'Anmelden und posten': 'Anmelden und absenden',
    'Zum Kommentieren anmelden': 'Anmelden und kommentieren',
}

def apply(text):
    pattern = '|'.join(map(re.escape, sorted(WORDS, key=len, reverse=True)))
    return re.sub(pattern, lambda found: WORDS[found[0]], text)

if __name__ == '__main__':
    import sys
    for name in (name for name in sys.argv[1:] if name.endswith('.ts')):
        old = open(name).read(); new = apply(old)
        if new != old: open(name, 'w').write(new); print(name)
