import { expect } from '@open-wc/testing';
import type { AnswerErrorType, FormField } from '@vestibule/shared';
import { syncStrings } from '../../locales/en-sync.ts';
import { answerErrorMessage } from './error-message.ts';

const words = (error: AnswerErrorType, field: Partial<FormField>) => (
  answerErrorMessage(error, { name: 'a', type: 'text', label: 'A', required: true, ...field }, syncStrings.answerErrors, 'en')
);

describe('answerErrorMessage', () => {
  it('has a message for each type of control', () => {
    expect(words('required', { type: 'text' })).to.equal('Please answer this.');
    expect(words('required', { type: 'select' })).to.equal('Please choose one.');
    expect(words('required', { type: 'checkbox' })).to.equal('Please tick this to continue.');
  });

  it('formats limits of numbers and dates in the reader\'s language', () => {
    expect(words('too-low', { type: 'number', min: 18 })).to.equal('Please enter 18 or more.');
    expect(words('too-high', { type: 'number', max: 2010 })).to.equal('Please enter 2010 or less.');
    expect(words('too-high', { type: 'number', max: 20100 })).to.equal('Please enter 20,100 or less.');
    expect(words('too-low', { type: 'date', min: '2000-01-31' })).to.equal('Please enter January 31, 2000 or a later date.');
    expect(words('too-high', { type: 'date', max: '2010-12-01' })).to.equal('Please enter December 1, 2010 or an earlier date.');
  });

  it('counts characters in the plural form of the language', () => {
    expect(words('too-short', { min_length: 1 })).to.equal('Please enter at least 1 character.');
    expect(words('too-short', { min_length: 3 })).to.equal('Please enter at least 3 characters.');
    expect(words('too-long', { max_length: 20 })).to.equal('Please shorten this to 20 characters.');
    expect(words('too-long', {})).to.equal('Please shorten this to 1,000 characters.');
  });

  it('returns the BFF\'s message unchanged', () => {
    const field: FormField = { name: 'a', type: 'text', label: 'A', required: true };
    expect(answerErrorMessage({ message: 'That town does not exist.' }, field, syncStrings.answerErrors, 'en')).to.equal('That town does not exist.');
  });

  it('has a message for each type of error', () => {
    const errors: AnswerErrorType[] = [
      'required', 'not-a-text', 'not-a-number', 'not-a-date', 'not-an-email', 'not-an-option',
      'too-low', 'too-high', 'too-short', 'too-long', 'pattern',
    ];
    for (const error of errors) expect(words(error, { type: 'number', min: 1, max: 2 }), error).to.match(/\.$/);
  });
});
