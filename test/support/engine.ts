// Which engine runs the tests, by the name that it gives itself: for what one of them does otherwise.
const { userAgent } = navigator;

export const isChromium = userAgent.includes('Chrome');
export const isFirefox = userAgent.includes('Firefox');
export const isWebKit = userAgent.includes('AppleWebKit/605.1.15');
