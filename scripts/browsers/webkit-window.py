#!/usr/bin/python3
# Windows of WebKitGTK that a WebDriver opens. Its own MiniBrowser keeps no data on disk when it is
# driven. HOME is the profile; PRIVATE=1 keeps nothing, as a private window does.
import os

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2

# Safari has them, WebKitGTK has them behind a switch.
FEATURES = ['StorageAPI', 'StorageAPIEstimate']


def make_context():
    if os.environ.get('PRIVATE') == '1':
        return WebKit2.WebContext.new_ephemeral()
    home = os.environ['HOME']
    data = WebKit2.WebsiteDataManager(
        base_data_directory=f'{home}/data', base_cache_directory=f'{home}/cache'
    )
    return WebKit2.WebContext.new_with_website_data_manager(data)


def make_settings():
    settings = WebKit2.Settings()
    settings.set_javascript_can_open_windows_automatically(True)
    features = WebKit2.Settings.get_all_features()
    for index in range(features.get_length()):
        feature = features.get(index)
        if feature.get_identifier() in FEATURES:
            settings.set_feature_enabled(feature, True)
    return settings


def show(view):
    window = Gtk.Window()
    window.set_default_size(1280, 800)
    window.add(view)
    window.show_all()
    view.connect('close', lambda _view: window.destroy())
    view.connect('create', lambda opener, _action: show(WebKit2.WebView.new_with_related_view(opener)))
    return view


def on_started(context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('webkit-window')
    info.set_version(1, 0, 0)
    session.set_application_info(info)
    session.connect(
        'create-web-view',
        lambda _session: show(
            WebKit2.WebView(
                web_context=context, settings=make_settings(), is_controlled_by_automation=True
            )
        ),
    )


context = make_context()
context.set_automation_allowed(True)
context.connect('automation-started', on_started)
Gtk.main()
